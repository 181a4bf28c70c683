/** NestJS 10, as this workspace has it. */
import { createRequire } from "node:module";

const fromHere = createRequire(import.meta.url);

export const common = fromHere("@nestjs/common") as typeof import("@nestjs/common");
export const core = fromHere("@nestjs/core") as typeof import("@nestjs/core");
export const { version } = fromHere("@nestjs/core/package.json") as { readonly version: string };
