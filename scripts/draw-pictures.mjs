/** Draws docs/pictures from what the library decides: `npm run build`, then `node scripts/draw-pictures.mjs`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PICTURES } from "./pictures/pictures.mjs";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../docs/pictures");

mkdirSync(folder, { recursive: true });
for (const [name, draw] of Object.entries(PICTURES)) writeFileSync(join(folder, name), await draw());
