// Every fault of structure of one manifest, through its published JSON Schema.

import Ajv from "ajv/dist/2020.js";

import { dotted, fromPointer } from "./path.js";
import { missing } from "./shape.js";

const ANNOTATIONS = ["markdownDescription", "defaultSnippets", "enumDescriptions", "patternErrorMessage", "errorMessage"];

function isHttpsUrl(text) {
  try {
    const { protocol, hostname } = new URL(text);
    // Browsers let a blank in a host pass as %20; by WHATWG's rules it is no host.
    return protocol === "https:" && !hostname.includes("%");
  } catch {
    return false;
  }
}

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: true,
  strictRequired: false, // "at least one of median and mean" names properties that stand beside it
  allowUnionTypes: true,
  unicode: false, // counts lengths in UTF-16 units, as the contract does
  logger: false, // would warn that the line above is out of fashion
});
ajv.addVocabulary(ANNOTATIONS);
ajv.addFormat("uri", isHttpsUrl);

const compiled = new Map();

function validator(name, data) {
  if (!compiled.has(name)) {
    compiled.set(name, ajv.compile(name === null ? envelope(data) : data.schemas[name]));
  }
  return compiled.get(name);
}

function envelope(data) {
  const schema = structuredClone(data.schemas.SoftwareProject);
  schema.$id += "#envelope";
  delete schema.$id;
  schema.properties.kind = { type: "string", enum: data.kinds };
  schema.properties.spec = true;
  return schema;
}

const BOUNDS = { minimum: "at least", maximum: "at most", exclusiveMinimum: "more than", exclusiveMaximum: "less than" };
const LENGTHS = { minLength: "least", maxLength: "most", minItems: "least", maxItems: "most", minProperties: "least" };

function shown(value) {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a mapping";
  const text = String(JSON.stringify(value));
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function translate(error, path, mistyped) {
  const { keyword, params, data: value, schemaPath } = error;
  const place = dotted(path) || "the document";
  const is = `${place} is ${shown(value)}`;
  if (error.propertyName !== undefined) {
    const reserved = error.propertyName === "__proto__";
    const inner = [...path, error.propertyName];
    const told = `${dotted(inner)} is no good key: ${error.parentSchema.patternErrorMessage ?? "it is too long"}`;
    const rule = reserved ? "KIX103" : keyword === "maxLength" ? "KIX108" : "KIX106";
    return { rule, path: inner, atKey: true, message: reserved ? `${dotted(inner)} is not a usable name` : told };
  }
  if (keyword === "required") {
    if (/\/(anyOf|oneOf)\//.test(schemaPath)) return null;
    if (!schemaPath.includes("/then/")) return missing(path, params.missingProperty);
    const message = `${place} is a ${value.role} axis without ${params.missingProperty}`;
    return { rule: "KIX111", path, message };
  }
  if (keyword === "additionalProperties") {
    const inner = [...path, params.additionalProperty];
    return { rule: "KIX103", path: inner, atKey: true, message: `${dotted(inner)} is not a known field of ${place}` };
  }
  if (keyword === "type") {
    return { rule: "KIX105", path, message: `${is}, expected ${[params.type].flat().join(" or ")}` };
  }
  if (mistyped) return null;
  if (keyword === "oneOf") {
    const found = "tensor" in value ? "both tensor and scalar" : "neither tensor nor scalar";
    return { rule: "KIX112", path, message: `${place} has ${found}, expected exactly one` };
  }
  if (keyword === "anyOf") {
    return { rule: "KIX113", path, message: `${place} has neither median nor mean, expected at least one` };
  }
  if (keyword === "const" || keyword === "enum") {
    const rule = { "/apiVersion": "KIX101", "/kind": "KIX102" }[error.instancePath] ?? "KIX109";
    const wanted = keyword === "const" ? params.allowedValue : params.allowedValues.join(", ");
    return { rule, path, message: `${is}, expected ${wanted}` };
  }
  if (keyword === "pattern" && value.length < error.parentSchema.minLength) return null; // the length tells
  if (keyword === "pattern" || keyword === "format") {
    const wanted = error.parentSchema.patternErrorMessage ?? "";
    return { rule: "KIX106", path, message: `${is}. ${wanted}` };
  }
  if (keyword in BOUNDS) {
    return { rule: "KIX107", path, message: `${is}, out of range: expected ${BOUNDS[keyword]} ${params.limit}` };
  }
  if (keyword in LENGTHS) {
    const counted = `${place} has ${value.length} ${typeof value === "string" ? "UTF-16 units" : "entries"}`;
    return { rule: "KIX108", path, message: `${counted}, expected at ${LENGTHS[keyword]} ${params.limit}` };
  }
  return null;
}

/** Faults of a value against the schema of a kind; of the envelope alone where the kind is null. */
export function structureFaults(name, value, base, data) {
  const validate = validator(name, data);
  validate(value);
  const errors = validate.errors ?? [];
  const mistyped = new Set(errors.filter((each) => each.keyword === "type").map((each) => each.instancePath));
  return errors
    .map((each) => {
      const path = [...base, ...fromPointer(each.instancePath, value)];
      return translate(each, path, mistyped.has(each.instancePath));
    })
    .filter((fault) => fault !== null);
}
