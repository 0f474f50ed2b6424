// The documents of a pasted text, whatever form it is in.

import { readJson, Unreadable } from "./json.js";
import { readYaml } from "./yaml.js";

const PAGE = /^[^\r\n{[][^\r\n]*\r?\n[ \t]*\r?\n\s*(?=\{)/;
const HEAD = /^[^\S\n]*\S[^\n]*\n[ \t\r]*\n/;
export const MAX_BYTES = 1_048_576;

/** What the text looks like: `json`, `jsonl`, `page` or `yaml`. */
export function formOf(text) {
  const trimmed = text.trimStart();
  if (trimmed.startsWith("{")) {
    const [line, ...rest] = trimmed.split("\n");
    return line.trimEnd().endsWith("}") && rest.join("\n").trimStart().startsWith("{") ? "jsonl" : "json";
  }
  if (trimmed.startsWith("[")) return "json";
  return PAGE.test(text) ? "page" : "yaml";
}

function attempt(text, base) {
  try {
    return readJson(text, base);
  } catch (error) {
    if (error instanceof Unreadable) return error;
    throw error;
  }
}

/** Every document: `{value, faults, places}`, or `Unreadable`; offsets count in the whole text. */
export function read(text, form) {
  if (form === "yaml") return readYaml(text);
  if (form === "page") {
    const head = HEAD.exec(text)?.[0].length;
    if (!head) return [new Unreadable("KIX004", "expected a title line, an empty line and a record as JSON", 0)];
    return [attempt(text.slice(head), head)];
  }
  if (form === "json") return [attempt(text, 0)];
  const documents = [];
  let base = 0;
  for (const line of text.split("\n")) {
    if (line.trim()) documents.push(attempt(line, base));
    base += line.length + 1;
  }
  return documents;
}
