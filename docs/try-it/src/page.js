// The try-it page: what is typed is checked here, and what was found is shown and announced.

import { check } from "./check.js";
import { dotted } from "./path.js";

const RULE_PAGES = "../reference/rules/";

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

function placeOf(text, offset) {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: [...before.at(-1)].length + 1 };
}

function faultItem(fault, text, area) {
  const kind = fault.warning ? "warning" : "error";
  const item = element("li", { class: `kix-${kind}` });
  item.append(element("strong", {}, kind), " ");
  item.append(element("a", { href: `${RULE_PAGES}${fault.rule}.html` }, fault.rule), " ", fault.message, " ");
  if (fault.offset !== undefined) {
    const { line, column } = placeOf(text, fault.offset);
    const go = () => {
      area.focus();
      area.setSelectionRange(fault.offset, fault.end ?? fault.offset + 1);
    };
    const label = `line ${line}, column ${column}`;
    item.append(element("button", { type: "button", class: "kix-go", "aria-label": `Go to ${label}`, onclick: go }, label));
  }
  return item;
}

function manifestPart(manifest) {
  const part = element("div", { class: "kix-manifest" });
  part.append(element("p", {}, element("strong", {}, manifest.kind), ` ${manifest.name}`));
  part.append(element("p", {}, element("code", { class: "kix-digest" }, manifest.digest)));
  const form = element("pre", { tabindex: "0", "aria-label": `Canonical form of ${manifest.name}` }, manifest.canonical);
  part.append(element("details", {}, element("summary", {}, "Canonical form"), form));
  return part;
}

function documentPart(one, index, many, text, area) {
  const part = element("div", { class: "kix-document" });
  const what = one.shape ?? "no document";
  if (many) part.append(element("h3", {}, `Document ${index + 1}: ${what}`));
  if (one.faults.length) {
    part.append(element("h3", {}, "Faults"), element("ol", {}, ...one.faults.map((each) => faultItem(each, text, area))));
  }
  if (one.shape === "bench record" && !one.faults.length) {
    part.append(element("p", {}, "A bench record has no digest of its own: ", element("code", {}, "kix-schema assemble"), " makes manifests of it."));
  }
  if (one.manifests.length) part.append(element("h3", {}, "Digests"), ...one.manifests.map(manifestPart));
  return part;
}

function verdict(documents) {
  const faults = documents.flatMap((each) => each.faults);
  const warnings = faults.filter((each) => each.warning).length;
  const errors = faults.length - warnings;
  const what = documents.length === 1 ? (documents[0].shape ?? "text") : count(documents.length, "document");
  if (errors) return `${count(errors, "error")}${warnings ? ` and ${count(warnings, "warning")}` : ""} in this ${what}.`;
  const told = warnings ? ` There is ${count(warnings, "warning")}.` : "";
  return `No fault that this page looks for in this ${what}.${told} Only the command checks the other rules.`;
}

function start() {
  const form = document.getElementById("kix-form");
  if (!form) return;
  const area = document.getElementById("kix-text");
  const as = document.getElementById("kix-as");
  const status = document.getElementById("kix-status");
  const result = document.getElementById("kix-result");
  const example = document.getElementById("kix-example");

  for (const label of Object.keys(window.kixData.examples)) example.append(element("option", { value: label }, label));
  example.addEventListener("change", () => {
    if (!example.value) return;
    area.value = window.kixData.examples[example.value];
    as.value = "auto";
    run();
  });

  async function run() {
    const text = area.value;
    status.textContent = "Checking …";
    try {
      const documents = await check(text, window.kixData, as.value);
      const many = documents.length > 1;
      result.replaceChildren(...documents.map((each, index) => documentPart(each, index, many, text, area)));
      status.textContent = verdict(documents);
      status.dataset.verdict = documents.some((each) => each.faults.some((one) => !one.warning)) ? "bad" : "good";
    } catch (error) {
      status.textContent = `This page failed on that text: ${error}. Please report it; the command does not depend on it.`;
      status.dataset.verdict = "bad";
      result.replaceChildren();
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    }
  });
  form.hidden = false;
}

window.kixTryIt = { check: (text, as) => check(text, window.kixData, as), dotted };
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
