/** The language server: found, tried, started, and told of when it cannot be. */

import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import * as vscode from "vscode";
import { LanguageClient, type ClientCapabilities, type StaticFeature } from "vscode-languageclient/node";
import { findCommand, whatToDo } from "./find";
import { handle } from "./results";

const SETTINGS = "Open settings";
const OUTPUT = "Show output";

/** Tells the server that this editor shows by itself what its commands give. */
class OwnResults implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    capabilities.experimental = { ...(capabilities.experimental as object | undefined), rulespec: true };
  }
  initialize(): void {}
  getState(): { kind: "static" } {
    return { kind: "static" };
  }
  clear(): void {}
}

export class Server {
  private client: LanguageClient | undefined;
  private starting: Promise<void> | undefined;
  readonly output = vscode.window.createOutputChannel("rulespec");

  /** Starts the server once; later calls do nothing. */
  start(): Promise<void> {
    this.starting ??= this.startNow();
    return this.starting;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.starting = undefined;
    await client?.stop().catch(() => undefined);
  }

  /** The command `rulespec`; nothing after telling why there is none. */
  async command(): Promise<string | undefined> {
    const found = await findCommand({
      setting: settings().get<string>("server.command", ""),
      folders: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
      windows: process.platform === "win32",
      path: process.env["PATH"] ?? process.env["Path"] ?? "",
      exists: isThere,
    });
    if ("command" in found) {
      this.output.appendLine(`${found.command} (by ${found.by})`);
      return found.command;
    }
    const words = whatToDo(found);
    this.output.appendLine(words);
    if ((await vscode.window.showErrorMessage(words, SETTINGS)) === SETTINGS) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "rulespec.server.command");
    }
    return undefined;
  }

  private async startNow(): Promise<void> {
    const command = await this.command();
    if (command === undefined) {
      this.starting = undefined; // asked again with the next file: it may be installed meanwhile
      return;
    }
    const fault = await whyNot(command);
    if (fault !== undefined) {
      this.output.appendLine(fault);
      this.starting = undefined;
      void vscode.window.showErrorMessage(`rulespec: ${fault}`, OUTPUT).then((chosen) => {
        if (chosen === OUTPUT) {
          this.output.show();
        }
      });
      return;
    }
    const verbose = settings().get<boolean>("server.verbose", false) ? ["--verbose"] : [];
    const client = new LanguageClient(
      "rulespec",
      "rulespec",
      { command, args: ["lsp", ...verbose] },
      {
        documentSelector: [
          { scheme: "file", language: "rulespec" },
          { scheme: "file", pattern: "**/texts.lock" }, // renames and accepted translations change it
        ],
        outputChannel: this.output,
        middleware: { executeCommand: (name, given, next) => handle(command, name, given, next) },
      },
    );
    client.registerFeature(new OwnResults());
    this.client = client;
    await client.start();
  }
}

export function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration("rulespec");
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Why the server cannot be started, in the command's own words; nothing where it ends well when nobody asks. */
function whyNot(command: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const asked = execFile(command, ["lsp"], { timeout: 30_000, windowsHide: true }, (fault, _, said) => {
      resolve(fault === null ? undefined : said.trim().split("\n").at(-1) || fault.message);
    });
    asked.stdin?.end();
  });
}
