/** NestJS 11, as the root of the workspace has it: another version is nearer. */
import { createRequire } from "node:module";

const fromRoot = createRequire(new URL("../../../../package.json", import.meta.url));

export const common = fromRoot(
  "@nestjs/common",
) as typeof import("../../../../node_modules/@nestjs/common/index.js");
export const core = fromRoot(
  "@nestjs/core",
) as typeof import("../../../../node_modules/@nestjs/core/index.js");
export const { version } = fromRoot("@nestjs/core/package.json") as { readonly version: string };
