// Strict JSON (RFC 8259) with the place of every value, every doubled key, and the bounds of reading.

import { keyOf } from "./path.js";

export const MAX_DEPTH = 64;

/** Thrown where nothing more can be read of a document. */
export class Unreadable extends Error {
  constructor(rule, message, offset) {
    super(message);
    this.rule = rule;
    this.offset = offset;
  }
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORD = /-?[A-Za-z]+/y;
const WORDS = { true: true, false: false, null: null };
const NON_FINITE = ["NaN", "Infinity", "-Infinity"];

export function readJson(text, base = 0) {
  let at = 0;
  const faults = [];
  const places = new Map();

  const fail = (message, where = at) => {
    throw new Unreadable("KIX004", message, base + where);
  };
  const found = () => (at < text.length ? JSON.stringify(String.fromCodePoint(text.codePointAt(at))) : "the end");
  const blank = () => {
    while (at < text.length && " \t\r\n".includes(text[at])) at += 1;
  };
  const match = (pattern) => {
    pattern.lastIndex = at;
    const hit = pattern.exec(text);
    if (hit) at += hit[0].length;
    return hit?.[0];
  };

  function string(path, asKey = false) {
    const start = at;
    const raw = match(STRING);
    if (raw === undefined) fail("a text is not closed, or holds a control character or an unknown escape");
    const value = JSON.parse(raw);
    if (!value.isWellFormed()) {
      const place = asKey ? [...path, value] : path;
      faults.push({ rule: "KIX008", path: place, message: "holds half of a surrogate pair", offset: base + start });
    }
    return value;
  }

  function value(path, depth) {
    if (depth > MAX_DEPTH) throw new Unreadable("KIX006", `nested deeper than ${MAX_DEPTH} levels`, base + at);
    blank();
    const start = at;
    const read = one(path, depth);
    places.set(keyOf(path), [base + start, base + at]);
    return read;
  }

  function one(path, depth) {
    const first = text[at];
    if (first === "{") return object(path, depth);
    if (first === "[") return list(path, depth);
    if (first === '"') return string(path);
    const start = at;
    const number = match(NUMBER);
    if (number !== undefined) {
      if (/[0-9.A-Za-z_]/.test(text[at] ?? "")) fail(`a number goes on with ${found()}`);
      if (Number.isFinite(Number(number))) return Number(number);
      faults.push({ rule: "KIX009", path, message: "is beyond the range of a double", offset: base + start });
      return null;
    }
    const word = match(WORD);
    if (word !== undefined && Object.hasOwn(WORDS, word)) return WORDS[word];
    if (NON_FINITE.includes(word)) {
      faults.push({ rule: "KIX009", path, message: `is ${word}, expected a finite number`, offset: base + start });
      return null;
    }
    at = start;
    return fail(`expected a value, found ${found()}`);
  }

  function object(path, depth) {
    const read = Object.create(null);
    at += 1;
    blank();
    if (text[at] === "}") {
      at += 1;
      return read;
    }
    for (;;) {
      blank();
      const start = at;
      if (text[at] !== '"') fail(`expected a key in double quotes, found ${found()}`);
      const key = string(path, true);
      const inner = [...path, key];
      places.set(keyOf([inner]), [base + start, base + at]);
      if (key in read) {
        faults.push({ rule: "KIX005", path: inner, message: "is there a second time", offset: base + start });
      }
      blank();
      if (text[at] !== ":") fail(`expected a colon, found ${found()}`);
      at += 1;
      read[key] = value(inner, depth + 1);
      blank();
      if (text[at] === ",") at += 1;
      else if (text[at] === "}") break;
      else fail(`expected a comma or }, found ${found()}`);
    }
    at += 1;
    return read;
  }

  function list(path, depth) {
    const read = [];
    at += 1;
    blank();
    if (text[at] === "]") {
      at += 1;
      return read;
    }
    for (;;) {
      read.push(value([...path, read.length], depth + 1));
      blank();
      if (text[at] === ",") at += 1;
      else if (text[at] === "]") break;
      else fail(`expected a comma or ], found ${found()}`);
    }
    at += 1;
    return read;
  }

  const root = value([], 1);
  blank();
  if (at < text.length) fail(`expected the end, found ${found()}`);
  return { value: root, faults, places };
}
