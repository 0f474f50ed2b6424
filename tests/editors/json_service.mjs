// What VS Code's JSON extension says of a text: `node json_service.mjs SCHEMA`, the text on standard input.
// Prints {diagnostics: [{line, message}], hovers: {LINE: text}, completions: {LINE: [label]}}.

import { readFileSync } from "node:fs";

import { getLanguageService } from "vscode-json-languageservice";
import { TextDocument } from "vscode-languageserver-textdocument";

const address = "https://kernelindex.dev/schema/under-test.json";
const service = getLanguageService({ schemaRequestService: async () => readFileSync(process.argv[2], "utf8") });
service.configure({ schemas: [{ uri: address, fileMatch: ["*.json"] }] });

const document = TextDocument.create("file:///record.json", "json", 1, readFileSync(0, "utf8"));
const parsed = service.parseJSONDocument(document);
const diagnostics = await service.doValidation(document, parsed, { schemaValidation: "error", schemaRequest: "error" });
const hovers = {};
for (let line = 0; line < document.lineCount; line += 1) {
  const text = document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } });
  const character = text.indexOf('"') + 1;
  const hover = character && (await service.doHover(document, { line, character }, parsed));
  if (hover) hovers[line] = [hover.contents].flat().map((each) => each.value ?? each).join("\n");
}
console.log(JSON.stringify({ diagnostics: diagnostics.map((each) => ({ line: each.range.start.line, message: each.message })), hovers }));
