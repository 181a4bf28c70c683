/** Which programs a shell would find. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

export function isOnPath(program: string): boolean {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.some((folder) => isExecutable(join(folder, program)));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
