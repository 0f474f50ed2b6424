// From a pasted text to what there is to say about it: reading, shape, structure, normal form, digests.

import { canonicalManifest, digest } from "./identity.js";
import { Unreadable } from "./json.js";
import { normalize } from "./normalize.js";
import { dotted, isMap, keyOf } from "./path.js";
import { formOf, MAX_BYTES, read } from "./read.js";
import { recognise } from "./shape.js";
import { structureFaults } from "./structure.js";

const isPrefix = (prefix, path) => prefix.every((part, index) => part === path[index]);

/** A fault of structure is not told where reading already found one at the value or above it. */
const unspoiled = (faults, reading) => faults.filter((each) => !reading.some((one) => isPrefix(one.path, each.path)));

function examineSite(site, data) {
  const { value, path, kinds } = site;
  if (!isMap(value)) return { faults: [{ rule: "KIX105", path, message: `${dotted(path)} is no manifest` }] };
  const kind = data.kinds.includes(value.kind) ? value.kind : null;
  const faults = [];
  if (kind && kinds && !kinds.includes(kind)) {
    const message = `a ${kind} stands where a ${kinds.join(" or ")} belongs`;
    faults.push({ rule: "KIX114", path: [...path, "kind"], message });
  }
  const { normal, faults: authoring } = kind ? normalize(kind, value, path, data) : { normal: value, faults: [] };
  const structural = structureFaults(kind, value, path, data);
  const fractions = new Set(authoring.map((each) => keyOf(each.path)));
  faults.push(...authoring, ...structural.filter((each) => !fractions.has(keyOf(each.path))));
  return { faults, kind, normal };
}

async function chainFaults(shape, manifests) {
  const faults = [];
  const at = new Map(manifests.map((each) => [keyOf(each.path), each]));
  for (const path of shape.records) {
    const run = at.get(keyOf([...path, "run"]));
    for (const [member, rule] of [["protocol", "KIX501"], ["environment", "KIX502"]]) {
      const beside = at.get(keyOf([...path, member]));
      const place = [...path, "run", "spec", `${member}Digest`];
      if (run && beside && run.spec[`${member}Digest`] !== beside.digest) {
        const message = `${dotted(place)} is not the digest of the ${member} beside it, ${beside.digest}`;
        faults.push({ rule, path: place, message });
      }
    }
  }
  return faults;
}

async function examine(document, data, size) {
  if (document instanceof Unreadable) {
    return { shape: null, faults: [{ rule: document.rule, path: null, message: document.message, offset: document.offset }], manifests: [] };
  }
  const shape = recognise(document.value);
  const reading = document.faults.map((each) => ({ ...each, message: `${dotted(each.path) || "the document"} ${each.message}` }));
  const structural = [...shape.faults];
  const manifests = [];
  if (size > MAX_BYTES && shape.name !== "submission") {
    reading.push({ rule: "KIX003", path: [], message: `over the bound of ${MAX_BYTES} bytes` });
  }
  if (shape.name === "bench record") {
    const { faults } = normalize("bench-record", document.value, [], data);
    structural.push(...faults, ...structureFaults("bench-record", document.value, [], data));
  }
  for (const site of shape.sites) {
    const { faults, kind, normal } = examineSite(site, data);
    const told = unspoiled(faults, reading);
    structural.push(...told);
    const spoilt = [...told, ...reading].some((each) => !each.warning && (isPrefix(site.path, each.path) || isPrefix(each.path, site.path)));
    if (!spoilt) {
      const text = canonicalManifest(normal);
      manifests.push({
        kind,
        name: site.value.metadata.name,
        path: site.path,
        spec: normal.spec,
        canonical: text,
        digest: await digest(text),
      });
    }
  }
  const faults = [...reading, ...unspoiled(shape.faults, reading), ...structural.slice(shape.faults.length)];
  faults.push(...(await chainFaults(shape, manifests)));
  for (const fault of faults) {
    const keyed = fault.atKey ? document.places.get(keyOf([fault.path])) : undefined;
    const range = keyed ?? document.places.get(keyOf(fault.path));
    fault.offset ??= range?.[0];
    fault.end ??= range?.[1];
  }
  faults.sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0) || a.rule.localeCompare(b.rule));
  return { shape: shape.name, faults, manifests };
}

/** Check a text. Every fault has `rule`, `message`, `path` (null where nothing could be read), `offset` and `warning`. */
export async function check(text, data, form = "auto") {
  const marked = text.startsWith("\ufeff");
  const whole = marked ? ` ${text.slice(1)}` : text;
  const documents = [];
  const as = form === "auto" ? formOf(whole) : form;
  for (const document of whole.trim() ? read(whole, as) : []) {
    documents.push(await examine(document, data, new TextEncoder().encode(text).length));
  }
  if (!documents.length) {
    documents.push({ shape: null, manifests: [], faults: [{ rule: "KIX011", path: [], message: "the text is empty", offset: 0 }] });
  }
  if (marked) {
    const message = "a byte order mark stands at the start; other readers refuse it";
    documents[0].faults.unshift({ rule: "KIX014", path: [], message, offset: 0, warning: true });
  }
  return documents;
}
