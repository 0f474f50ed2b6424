// Makes the one file that the try-it page loads: `node build.mjs TARGET`, after `npm ci`.

import { readFileSync } from "node:fs";
import { build } from "esbuild";

const PARTS = ["ajv", "fast-deep-equal", "fast-uri", "json-schema-traverse", "yaml"];

/** What is bundled besides our own files, with its licence, as the head of the file. */
function notice() {
  const parts = PARTS.map((name) => {
    const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
    const text = readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim().replaceAll("*/", "* /");
    return `${name} ${version}\n\n${text}`;
  });
  const head = "The try-it page of kernelindex-schema (Apache-2.0), made by docs/try-it/build.mjs. It holds:";
  return `/*!\n${[head, ...parts].join("\n\n----\n\n")}\n*/`;
}

const { metafile } = await build({
  entryPoints: ["src/page.js"],
  outfile: process.argv[2],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  banner: { js: notice() },
  metafile: true,
});

const bundled = new Set(
  Object.keys(metafile.inputs)
    .filter((path) => path.startsWith("node_modules/"))
    .map((path) => path.split("/")[1]),
);
const untold = [...bundled].filter((name) => !PARTS.includes(name));
if (untold.length) throw new Error(`no licence is told of ${untold.join(", ")}`);
