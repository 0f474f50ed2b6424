// Node with ajv: decode, validate by the published schemas, RFC 8785 and SHA-256 of every manifest.
// usage: node ajv.mjs SCHEMAS_FOLDER RECORDS.jsonl, with ajv where Node finds it (NODE_PATH or beside this file)
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.env.AJV_FROM ?? process.cwd(), "index.js"));
const Ajv = require("ajv/dist/2020.js").default;
const [folder, file] = process.argv.slice(2);
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: false });
const read = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));
const validators = {
  run: ajv.compile(read("benchmark-run.schema.json")),
  protocol: ajv.compile(read("benchmark-protocol.schema.json")),
  environment: ajv.compile(read("execution-environment.schema.json")),
};

// ECMAScript writes numbers and strings as RFC 8785 wants them; only keys have to be sorted.
function canonical(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return "[" + value.map(canonical).join(",") + "]";
  return "{" + Object.keys(value).sort().map((key) => JSON.stringify(key) + ":" + canonical(value[key])).join(",") + "}";
}

function check(line) {
  const record = JSON.parse(line);
  for (const [name, validate] of Object.entries(validators)) {
    if (!validate(record[name])) throw new Error(JSON.stringify(validate.errors));
    const { apiVersion, kind, spec } = record[name];
    createHash("sha256").update(canonical({ apiVersion, kind, spec })).digest("hex");
  }
}

const lines = readFileSync(file, "utf8").trim().split("\n");
let least = Infinity;
for (let round = 0; round < 8; round++) {
  const start = process.cpuUsage();
  lines.forEach(check);
  const used = process.cpuUsage(start);
  least = Math.min(least, (used.user + used.system) / lines.length);
}
console.log(least.toFixed(3));
