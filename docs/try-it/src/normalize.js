// Authoring forms to canonical values: durations to integer nanoseconds, sets sorted and without repetitions.

import { dotted, isMap } from "./path.js";

const DURATION = /^([0-9]+)(?:\.([0-9]+))? ?(ns|us|µs|ms|s)$/;

/** Nanoseconds of a duration text in exact decimal arithmetic, or the id of the rule that says why there are none. */
export function parseDuration(text, units, most) {
  const parts = DURATION.exec(text);
  if (!parts) return "KIX106";
  const whole = parts[1].replace(/^0+/, "");
  const fraction = (parts[2] ?? "").replace(/0+$/, "");
  if (fraction.length > 9) return "KIX110";
  if (whole.length > String(most).length) return "KIX107";
  const scaled = BigInt(whole + fraction || "0") * BigInt(units[parts[3]]);
  const scale = 10n ** BigInt(fraction.length);
  if (scaled % scale) return "KIX110";
  const nanoseconds = scaled / scale;
  return nanoseconds > BigInt(most) ? "KIX107" : Number(nanoseconds);
}

const portable = (text, units) => {
  const parts = DURATION.exec(text);
  const number = text.slice(0, text.length - parts[3].length).trim();
  return Number.isInteger(Number(number) * units[parts[3]]);
};

function duration(value, path, data, faults) {
  if (typeof value === "number" && !Number.isInteger(value)) {
    faults.push({ rule: "KIX110", path, message: `${dotted(path)} is ${value}, no whole number of nanoseconds` });
  }
  if (typeof value !== "string") return value;
  const read = parseDuration(value, data.units, data.maxSafeInteger);
  const shown = `${dotted(path)} is '${value}'`;
  if (read === "KIX110") faults.push({ rule: read, path, message: `${shown}, no whole number of nanoseconds` });
  else if (read === "KIX107") {
    faults.push({ rule: read, path, message: `${shown}, over the bound of ${data.maxSafeInteger} ns` });
  } else if (typeof read === "number" && !portable(value, data.units)) {
    const message = `${shown}: ${read} ns exactly, but not in the registry's binary arithmetic; write the integer ${read}`;
    faults.push({ rule: "KIX203", path, message, warning: true });
  }
  return typeof read === "number" ? read : value;
}

const sorted = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === "string") ? [...new Set(value)].sort() : value;

/** A copy of `value` in which `change` was applied to every value that a path of steps leads to (null: each entry). */
function along(value, steps, path, change) {
  if (!steps.length) return change(value, path);
  const [step, ...rest] = steps;
  if (Array.isArray(value) && step === null) {
    return value.map((each, index) => along(each, rest, [...path, index], change));
  }
  if (!isMap(value)) return value;
  const copy = Object.assign(Object.create(null), value);
  for (const key of step === null ? Object.keys(value) : [step]) {
    if (key in value) copy[key] = along(value[key], rest, [...path, key], change);
  }
  return copy;
}

/** The normalised value, and what there is to say about its authoring forms. */
export function normalize(name, value, base, data) {
  const faults = [];
  let normal = value;
  for (const steps of data.durations[name]) {
    normal = along(normal, steps, base, (each, path) => duration(each, path, data, faults));
  }
  for (const steps of data.sets[name]) normal = along(normal, steps, base, sorted);
  return { normal, faults };
}
