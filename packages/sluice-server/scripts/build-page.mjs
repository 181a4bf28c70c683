/**
 * Builds the page that `sluice serve` shows: bundles `page` into a folder, `dist/page` unless another one is named,
 * with nothing to fetch from elsewhere. Needs the library to be built.
 */
import { cpSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const source = join(root, "page");
const target = resolve(process.argv[2] ?? join(root, "dist/page"));

/** Built aside and then put in place, so that a server which is just starting finds one or the other. */
const fresh = `${target}.new`;
rmSync(fresh, { recursive: true, force: true });

await build({
  entryPoints: {
    page: join(source, "main.ts"),
    worker: join(source, "playground/worker.ts"),
    style: join(source, "style.css"),
  },
  outdir: fresh,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome123", "firefox124", "safari17.5"],
  legalComments: "none",
  banner: { js: "/*! Sluice, MIT. With uPlot, (c) Leon Sorokin, MIT. */" },
  logLevel: "warning",
});
cpSync(join(source, "index.html"), join(fresh, "index.html"));

rmSync(target, { recursive: true, force: true });
renameSync(fresh, target);
