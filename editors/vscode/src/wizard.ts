/** A new game, by `rulespec new`: its name, what it begins with, and where. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Server } from "./server";

const SMALL = "A small game that works, with comments";
const COPY = "A copy of a game";

export async function newGame(server: Server): Promise<void> {
  const command = await server.command();
  if (command === undefined) {
    return;
  }
  const name = await vscode.window.showInputBox({
    title: "New game (1 of 3): its name",
    prompt: "Small letters, digits and _, as in harbour_town. It is the game's id and the folder's name.",
    validateInput: (typed) => (/^[a-z][a-z0-9_]*$/.test(typed) ? undefined : "Small letters, digits and _; a letter first."),
  });
  if (name === undefined) {
    return;
  }
  const from = await beginning();
  if (from === undefined) {
    return;
  }
  const folder = await place();
  if (folder === undefined) {
    return;
  }
  const made = join(folder.fsPath, name);
  const fault = await run(command, ["new", "game", made, ...from], folder.fsPath);
  if (fault !== undefined) {
    void vscode.window.showErrorMessage(`rulespec: ${fault}`);
    return;
  }
  await open(vscode.Uri.file(made), name);
}

async function beginning(): Promise<string[] | undefined> {
  const chosen = await vscode.window.showQuickPick([SMALL, COPY], { title: "New game (2 of 3): what it begins with" });
  if (chosen !== COPY) {
    return chosen === undefined ? undefined : [];
  }
  const from = await vscode.window.showInputBox({
    title: "New game (2 of 3): which game",
    prompt: "The id of a shipped game, or the folder of a game.",
  });
  return from === undefined || from.trim() === "" ? undefined : ["--from", from.trim()];
}

async function place(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const [first] = folders;
  const chosen = await vscode.window.showOpenDialog({
    title: "New game (3 of 3): the folder that its own is made in",
    openLabel: "Make it here",
    canSelectFiles: false,
    canSelectFolders: true,
    ...(first === undefined ? {} : { defaultUri: first.uri }),
  });
  return chosen?.[0];
}

/** Runs the command; what it says where it fails. */
function run(command: string, words: string[], cwd: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(command, words, { cwd, timeout: 60_000, windowsHide: true }, (fault, _, said) => {
      resolve(fault === null ? undefined : said.trim() || fault.message);
    });
  });
}

async function open(folder: vscode.Uri, name: string): Promise<void> {
  const names = (await vscode.workspace.fs.readDirectory(folder)).map(([each]) => each).filter((each) => each.endsWith(".yaml"));
  const file = names.find((each) => each === `${name}.yaml` || each === "game.yaml") ?? names.sort()[0];
  if (file !== undefined) {
    await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, file));
  }
  const inside = vscode.workspace.getWorkspaceFolder(folder);
  if (inside === undefined) {
    const ADD = "Add it to the workspace";
    const chosen = await vscode.window.showInformationMessage(`${name} was made in ${folder.fsPath}.`, ADD);
    if (chosen === ADD) {
      vscode.workspace.updateWorkspaceFolders(vscode.workspace.workspaceFolders?.length ?? 0, 0, { uri: folder });
    }
  }
}
