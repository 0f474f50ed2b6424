// YAML by the core schema of 1.2, through the npm package that the registry reads with; the bounds are our own.

import { isAlias, isMap, isScalar, isSeq, parseAllDocuments } from "yaml";

import { MAX_DEPTH, Unreadable } from "./json.js";
import { keyOf } from "./path.js";

const MAX_ALIASES = 99;
const MAX_NODES = 100_000;
const CORE_TAG = /: tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)$/;
const REFUSED = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff]/;

/** Every document of a stream: what `readJson` gives, or an `Unreadable`. */
export function readYaml(text) {
  const odd = REFUSED.exec(text);
  if (odd) {
    const code = odd[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    return [new Unreadable("KIX004", `U+${code} stands in the text: write it as an escape in double quotes`, odd.index)];
  }
  const options = { schema: "core", merge: false, resolveKnownTags: false, uniqueKeys: false, prettyErrors: false, logLevel: "silent" };
  const parsed = parseAllDocuments(text, options);
  if (!Array.isArray(parsed)) return [];
  return parsed.map((document) => {
    try {
      return readDocument(document, text);
    } catch (error) {
      if (error instanceof Unreadable) return error;
      throw error;
    }
  });
}

function readDocument(document, text) {
  for (const error of document.errors) throw new Unreadable("KIX004", oneLine(error.message), error.pos[0]);
  const faults = [];
  const places = new Map();
  const open = new Set();
  let aliases = 0;
  let nodes = 0;

  for (const { code, message, pos } of document.warnings) {
    // A core tag on a text that has not that type's form leaves it text, as the registry has it.
    if (code === "TAG_RESOLVE_FAILED" && CORE_TAG.test(message)) continue;
    throw new Unreadable(code === "TAG_RESOLVE_FAILED" ? "KIX007" : "KIX004", oneLine(message), pos[0]);
  }

  function walk(node, path, depth, here) {
    if (depth > MAX_DEPTH) throw new Unreadable("KIX006", `nested deeper than ${MAX_DEPTH} levels`, here);
    nodes += 1;
    if (nodes > MAX_NODES) throw new Unreadable("KIX007", `more than ${MAX_NODES} nodes after aliases are expanded`, here);
    const [start, end] = node?.range ?? [here, here];
    if (!places.has(keyOf(path))) places.set(keyOf(path), [start, end]);
    if (isAlias(node)) {
      aliases += 1;
      if (aliases > MAX_ALIASES) throw new Unreadable("KIX007", `more than ${MAX_ALIASES} aliases`, start);
      const meant = node.resolve(document);
      if (!meant) throw new Unreadable("KIX004", `no anchor is called ${node.source}`, start);
      return walk(meant, path, depth, start);
    }
    if (isMap(node) || isSeq(node)) {
      if (open.has(node)) throw new Unreadable("KIX007", "an alias refers to what it stands in", start);
      open.add(node);
      const read = isMap(node)
        ? mapping(node, path, depth, start)
        : node.items.map((item, index) => walk(item, [...path, index], depth + 1, start));
      open.delete(node);
      return read;
    }
    const value = isScalar(node) ? node.value : null;
    if (typeof value === "number" && !Number.isFinite(value)) {
      faults.push({ rule: "KIX009", path, message: "is no finite number", offset: start });
      return null;
    }
    if (typeof value === "string" && !value.isWellFormed()) {
      faults.push({ rule: "KIX008", path, message: "holds half of a surrogate pair", offset: start });
    }
    return value ?? null;
  }

  function mapping(node, path, depth, here) {
    const read = Object.create(null);
    for (const pair of node.items) {
      let key = isAlias(pair.key) ? pair.key.resolve(document) : pair.key;
      const [start, end] = pair.key?.range ?? [here, here];
      key = isScalar(key) ? key.value : key;
      const name = typeof key === "string" ? key : text.slice(start, end).trim();
      const inner = [...path, name];
      if (typeof key !== "string") {
        faults.push({ rule: "KIX105", path: inner, message: "is a key that is no text", offset: start });
      } else if (key in read) {
        faults.push({ rule: "KIX005", path: inner, message: "is there a second time", offset: start });
      }
      if (!name.isWellFormed()) {
        faults.push({ rule: "KIX008", path: inner, message: "holds half of a surrogate pair", offset: start });
      }
      places.set(keyOf([inner]), [start, end]);
      read[name] = walk(pair.value, inner, depth + 1, start);
    }
    return read;
  }

  const value = walk(document.contents, [], 1, document.range?.[0] ?? 0);
  return { value, faults, places };
}

const oneLine = (message) => message.split("\n")[0];
