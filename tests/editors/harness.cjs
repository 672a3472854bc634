// The packed extension in Node.js, with a stand-in for the editor: what it asks is answered from a list, and what it does
// is noted. Usage: node harness.cjs EXTENSION_JS PLAN_JSON; prints the notes as JSON.
"use strict";
const Module = require("node:module");
const plan = JSON.parse(process.argv[3]);
const notes = { languages: [], asked: [], told: [], shown: [], commands: {} };

// Anything that is not listed below is a class that does nothing.
const anything = () =>
  new Proxy(class { dispose() {} }, { get: (of, name) => of[name] ?? (name === "prototype" ? of.prototype : anything()) });
const answer = (how) => async (...given) => {
  notes.asked.push(how);
  const next = plan.answers.shift();
  const last = given.at(-1);
  if (how === "input" && typeof last?.validateInput === "function" && typeof next === "string") {
    const wrong = last.validateInput(next);
    if (wrong !== undefined) {
      notes.told.push(wrong);
      return undefined;
    }
  }
  return how === "folder" && next ? [file(next)] : next ?? undefined;
};
const file = (path) => ({ scheme: "file", fsPath: path, toString: () => `file://${path}` });
const nothing = () => ({ dispose() {} });
const documents = (plan.documents ?? []).map((each) => ({
  uri: file(each.path),
  languageId: each.language,
  getText: () => each.text,
}));
const known = {
  Uri: { file, joinPath: (of, ...parts) => file([of.fsPath, ...parts].join("/")), parse: file },
  ViewColumn: { Beside: -2 },
  ProgressLocation: { Window: 10 },
  window: {
    createOutputChannel: () => ({ appendLine: (line) => notes.told.push(line), show() {}, dispose() {} }),
    showErrorMessage: async (words) => void notes.told.push(words),
    showInformationMessage: async (words) => void notes.told.push(words),
    showInputBox: answer("input"),
    showQuickPick: answer("pick"),
    showOpenDialog: answer("folder"),
    showTextDocument: async (uri) => void notes.shown.push(uri.fsPath),
  },
  workspace: {
    workspaceFolders: (plan.folders ?? []).map((path) => ({ uri: file(path) })),
    textDocuments: documents,
    createFileSystemWatcher: () => ({ onDidChange: nothing, onDidCreate: nothing, onDidDelete: nothing, dispose() {} }),
    onDidOpenTextDocument: nothing,
    onDidSaveTextDocument: nothing,
    onDidChangeConfiguration: nothing,
    getConfiguration: () => ({ get: (name, value) => plan.settings?.[name] ?? value }),
    getWorkspaceFolder: (uri) =>
      known.workspace.workspaceFolders.find((folder) => uri.fsPath.startsWith(`${folder.uri.fsPath}/`)),
    fs: { readDirectory: async (uri) => require("node:fs").readdirSync(uri.fsPath).map((name) => [name, 1]) },
  },
  commands: {
    registerCommand: (name, run) => {
      notes.commands[name] = true;
      known.run[name] = run;
      return { dispose() {} };
    },
    executeCommand: async () => undefined,
  },
  languages: {
    setTextDocumentLanguage: async (document, language) => {
      notes.languages.push([document.uri.fsPath, language]);
    },
  },
  run: {},
};
const vscode = new Proxy(known, { get: (of, name) => of[name] ?? anything() });
const load = Module._load;
Module._load = (request, ...rest) => (request === "vscode" ? vscode : load(request, ...rest));

(async () => {
  const extension = require(process.argv[2]);
  await extension.activate({ subscriptions: [] });
  for (const name of plan.run ?? []) {
    await known.run[name]();
  }
  process.stdout.write(JSON.stringify(notes));
  process.exit(0);
})();
