/** What the commands of lenses give, shown by the editor's own means. */

import * as vscode from "vscode";

const PLAY = "rulespec.playScenario";
const PLACES = "rulespec.showPlaces";
const CHANGES = "rulespec.showChanges";

interface Place {
  readonly uri: string;
  readonly range: { readonly start: Spot; readonly end: Spot };
}
interface Spot {
  readonly line: number;
  readonly character: number;
}
interface Given {
  readonly uri?: string;
  readonly variant?: string;
  readonly places?: readonly Place[];
}

/** Runs a command of the server, and shows what comes of it. */
export async function handle(
  rulespec: string,
  name: string,
  given: unknown[],
  next: (name: string, given: unknown[]) => vscode.ProviderResult<unknown>,
): Promise<unknown> {
  const asked = (given[0] ?? {}) as Given;
  if (name === PLACES) {
    await showPlaces(asked.places ?? []);
    return undefined;
  }
  const work = { location: vscode.ProgressLocation.Window, title: "rulespec" };
  const found: unknown = await vscode.window.withProgress(work, async () => next(name, given));
  if (name === PLAY && isWithCommand(found)) {
    play(rulespec, found.command.slice(1));
  } else if (name === CHANGES && isWithText(found)) {
    await showChanges(asked, found.text);
  }
  return found;
}

/** The first place opened, with the list of all of them where there are several. */
async function showPlaces(places: readonly Place[]): Promise<void> {
  const locations = places.map((place) => new vscode.Location(vscode.Uri.parse(place.uri), rangeOf(place)));
  const first = locations[0];
  if (first === undefined) {
    return;
  }
  if (locations.length === 1) {
    await vscode.window.showTextDocument(first.uri, { selection: first.range });
    return;
  }
  const editor = vscode.window.activeTextEditor;
  const at = editor?.selection.active ?? new vscode.Position(0, 0);
  await vscode.commands.executeCommand("editor.action.peekLocations", editor?.document.uri ?? first.uri, at, locations);
}

function rangeOf(place: Place): vscode.Range {
  const { start, end } = place.range;
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** What a variant changes, in a document beside; and from there, where it is written. */
async function showChanges(asked: Given, text: string): Promise<void> {
  const content = `# What ${asked.variant ?? "the variant"} changes\n\n${text}\n`;
  const document = await vscode.workspace.openTextDocument({ language: "diff", content });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

/** A game in a terminal of its own: no shell reads the words. */
function play(rulespec: string, words: readonly string[]): void {
  const terminal = vscode.window.createTerminal({ name: "rulespec play", shellPath: rulespec, shellArgs: [...words] });
  terminal.show();
}

function isWithCommand(found: unknown): found is { command: string[] } {
  const command = (found as { command?: unknown } | null | undefined)?.command;
  return Array.isArray(command) && command.length > 1 && command.every((word) => typeof word === "string");
}

function isWithText(found: unknown): found is { text: string } {
  return typeof (found as { text?: unknown } | null | undefined)?.text === "string";
}
