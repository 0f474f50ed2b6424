// Which document a value is, and where its manifests stand (contract, Documents).

import { dotted, isMap } from "./path.js";

const SECTIONS = {
  projects: ["SoftwareProject"],
  operations: ["OperationSpec"],
  workloads: ["WorkloadCase", "WorkloadSuite"],
  implementations: ["ImplementationRevision"],
  runs: ["BenchmarkRun"],
};
const RECORD = { run: ["BenchmarkRun"], protocol: ["BenchmarkProtocol"], environment: ["ExecutionEnvironment"] };

export const missing = (path, key) => ({
  rule: "KIX104",
  path,
  message: `${dotted([...path, key])} is missing`,
});
const unknown = (path) => ({ rule: "KIX103", path, atKey: true, message: `${dotted(path)} is not a known field` });
const wrong = (path, wanted) => ({ rule: "KIX105", path, message: `${dotted(path)} is not ${wanted}` });

/** `{name, sites, faults}`; `name` is null for what is none of the known documents. */
export function recognise(value) {
  const shape = { name: null, sites: [], faults: [], records: [] };
  const has = (...keys) => keys.every((key) => key in value);
  if (!isMap(value)) {
    shape.faults.push({ rule: "KIX011", path: [], message: "no manifest is in it, expected a mapping" });
  } else if (has("apiVersion") || has("kind")) {
    shape.name = "manifest";
    shape.sites.push({ path: [], value, kinds: null });
  } else if (has("table", "row")) {
    catalogRow(value, shape);
  } else if (has("run", "workload", "implementation") && !has("runs")) {
    shape.name = "bench record";
  } else if (has("run")) {
    shape.name = "record";
    record(value, [], shape);
  } else if (Object.keys(SECTIONS).some((section) => has(section))) {
    submission(value, shape);
  } else {
    const message = "none of a manifest, a record, a submission, a bench record or a catalog row";
    shape.faults.push({ rule: "KIX011", path: [], message });
  }
  return shape;
}

function members(value, path, known, shape) {
  for (const key of Object.keys(value)) if (!known.includes(key)) shape.faults.push(unknown([...path, key]));
}

function record(value, path, shape) {
  if (!isMap(value)) {
    shape.faults.push(wrong(path, "a mapping of run, protocol and environment"));
    return;
  }
  members(value, path, Object.keys(RECORD), shape);
  for (const [member, kinds] of Object.entries(RECORD)) {
    if (member in value) shape.sites.push({ path: [...path, member], value: value[member], kinds });
    else shape.faults.push(missing(path, member));
  }
  shape.records.push(path);
}

function submission(value, shape) {
  shape.name = "submission";
  members(value, [], Object.keys(SECTIONS), shape);
  for (const [section, kinds] of Object.entries(SECTIONS)) {
    if (!(section in value)) continue;
    if (!Array.isArray(value[section])) {
      shape.faults.push(wrong([section], "a list"));
      continue;
    }
    value[section].forEach((entry, index) => {
      const path = [section, index];
      if (section === "runs") record(entry, path, shape);
      else if (section === "implementations") implementation(entry, path, kinds, shape);
      else shape.sites.push({ path, value: entry, kinds });
    });
  }
  if (!shape.sites.length && !shape.faults.length) {
    shape.faults.push({ rule: "KIX011", path: [], message: "the submission holds no manifest, expected at least one" });
  }
}

function implementation(entry, path, kinds, shape) {
  if (!isMap(entry)) {
    shape.faults.push(wrong(path, "a mapping of projectSlug and manifest"));
    return;
  }
  members(entry, path, ["projectSlug", "manifest"], shape);
  if (!("projectSlug" in entry)) shape.faults.push(missing(path, "projectSlug"));
  else if (typeof entry.projectSlug !== "string") shape.faults.push(wrong([...path, "projectSlug"], "text"));
  if ("manifest" in entry) shape.sites.push({ path: [...path, "manifest"], value: entry.manifest, kinds });
  else shape.faults.push(missing(path, "manifest"));
}

function catalogRow(value, shape) {
  shape.name = "catalog row";
  members(value, [], ["table", "row"], shape);
  if (typeof value.table !== "string") shape.faults.push(wrong(["table"], "text"));
  if (!isMap(value.row)) {
    shape.faults.push(wrong(["row"], "a mapping"));
    return;
  }
  const manifest = value.row.manifest;
  const path = ["row", "manifest"];
  if (isMap(manifest)) {
    if ("apiVersion" in manifest || "kind" in manifest || !("run" in manifest)) {
      shape.sites.push({ path, value: manifest, kinds: null });
    } else record(manifest, path, shape);
  } else if (manifest !== undefined && manifest !== null) {
    shape.faults.push(wrong(path, "a manifest or a record"));
  }
}
