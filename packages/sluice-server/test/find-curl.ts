/** The curl that the docs and the server tell people to use. */
import { ensureProgram } from "../../sluice/test/system-package.js";

const NAME = ["curl"];

/** Installed first if need be. */
export function ensureCurl(): string {
  return ensureProgram({
    programs: NAME,
    variable: "CURL",
    packages: { "apt-get": NAME, brew: NAME, dnf: NAME, yum: NAME, apk: NAME, pacman: NAME },
  });
}
