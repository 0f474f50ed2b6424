// Paths of values within a document: lists of keys and indexes.

const PLAIN_KEY = /^[^\s.[\]"'\x00-\x1f]+$/;

/** `["run", "list", 1]` is `run.list[1]`; a key that would not read well is quoted. */
export function dotted(path) {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else if (PLAIN_KEY.test(part)) text += text ? `.${part}` : part;
    else text += `["${part.replace(/\\/g, "\\\\").replace(/"/g, '\\"')}"]`;
  }
  return text;
}

/** The path of an RFC 6901 pointer; indexes are told from keys by the value that they lead through. */
export function fromPointer(pointer, root) {
  const path = [];
  let value = root;
  for (const raw of pointer.split("/").slice(1)) {
    const key = raw.replace(/~1/g, "/").replace(/~0/g, "~");
    const part = Array.isArray(value) ? Number(key) : key;
    path.push(part);
    value = value?.[part];
  }
  return path;
}

export const keyOf = (path) => JSON.stringify(path);

export const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
