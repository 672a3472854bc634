/** The extension: gives content its language, starts the server with the first file, and makes new games. */

import { readdir, readFile, stat } from "node:fs/promises";
import * as vscode from "vscode";
import { Games } from "./content";
import { Server, settings } from "./server";
import { newGame } from "./wizard";

const games = new Games({
  async names(folder) {
    return readdir(folder).catch(() => []);
  },
  async text(path, most) {
    try {
      const about = await stat(path);
      return about.isFile() && about.size <= most ? await readFile(path, "utf8") : undefined;
    } catch {
      return undefined;
    }
  },
});

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const own = new Server();
  server = own;
  const seen = (document: vscode.TextDocument): void => void look(own, document);
  const files = vscode.workspace.createFileSystemWatcher("**/*.{yaml,yml}");
  const changed = (uri: vscode.Uri): void => games.changed(uri.fsPath);
  context.subscriptions.push(
    own.output,
    files,
    files.onDidChange(changed),
    files.onDidCreate(changed),
    files.onDidDelete(changed),
    vscode.workspace.onDidOpenTextDocument(seen),
    vscode.workspace.onDidSaveTextDocument(seen),
    vscode.commands.registerCommand("rulespec.newGame", () => newGame(own)),
    vscode.commands.registerCommand("rulespec.restart", () => own.restart()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("rulespec.server")) {
        void own.restart();
      }
    }),
  );
  await Promise.all(vscode.workspace.textDocuments.map((document) => look(own, document)));
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** Gives a YAML file of a game its language; other files stay what they are. The server starts with the first one. */
async function look(own: Server, document: vscode.TextDocument): Promise<void> {
  if (document.uri.scheme !== "file") {
    return;
  }
  if (document.languageId === "rulespec") {
    await own.start();
  } else if (document.languageId === "yaml" && settings().get<boolean>("association", true)) {
    const root = vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath;
    if (await games.holds(document.uri.fsPath, document.getText(), root)) {
      await vscode.languages.setTextDocumentLanguage(document, "rulespec"); // which opens it anew
    }
  }
}
