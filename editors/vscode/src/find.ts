/** Where the command `rulespec` is. Nothing here needs an editor. */

import { delimiter, isAbsolute, join } from "node:path";

/** What the search knows: the setting, the folders of the workspace, the system and its path. */
export interface Surroundings {
  readonly setting: string;
  readonly folders: readonly string[];
  readonly windows: boolean;
  readonly path: string;
  exists(path: string): Promise<boolean>;
}

/** A command that was found and by which way, or the places that were looked at. */
export type Found =
  | { readonly command: string; readonly by: "setting" | "environment" | "path" }
  | { readonly tried: readonly string[]; readonly setting: boolean };

const ENVIRONMENTS = [".venv", "venv"];

/** The command: as the setting says; else of a virtual environment of the workspace; else on the path. */
export async function findCommand(around: Surroundings): Promise<Found> {
  const setting = around.setting.trim();
  if (setting !== "") {
    return bySetting(setting, around);
  }
  const tried: string[] = [];
  for (const folder of around.folders) {
    for (const environment of ENVIRONMENTS) {
      const place = around.windows ? ["Scripts", "rulespec.exe"] : ["bin", "rulespec"];
      const command = join(folder, environment, ...place);
      if (await around.exists(command)) {
        return { command, by: "environment" };
      }
      tried.push(command);
    }
  }
  const onPath = await byPath("rulespec", around);
  return onPath === undefined ? { tried: [...tried, "the path"], setting: false } : { command: onPath, by: "path" };
}

async function bySetting(setting: string, around: Surroundings): Promise<Found> {
  if (!/[\\/]/.test(setting)) {
    const command = await byPath(setting, around);
    return command === undefined ? { tried: [`${setting} on the path`], setting: true } : { command, by: "setting" };
  }
  const places = isAbsolute(setting) ? [setting] : around.folders.map((folder) => join(folder, setting));
  for (const command of places) {
    if (await around.exists(command)) {
      return { command, by: "setting" };
    }
  }
  return { tried: places, setting: true };
}

async function byPath(name: string, around: Surroundings): Promise<string | undefined> {
  const names = around.windows ? [`${name}.exe`, `${name}.cmd`, `${name}.bat`] : [name];
  for (const folder of around.path.split(around.windows ? ";" : delimiter)) {
    for (const each of folder === "" ? [] : names) {
      const command = join(folder, each);
      if (await around.exists(command)) {
        return command;
      }
    }
  }
  return undefined;
}

/** What is told of a search that found nothing: what to do, and where was looked. */
export function whatToDo(found: Extract<Found, { tried: readonly string[] }>): string {
  const looked = `Looked for: ${found.tried.join(", ")}.`;
  return found.setting
    ? `The setting "rulespec.server.command" names no command that is there. ${looked}`
    : `rulespec is not installed where this editor finds it. In the workspace: python -m venv .venv, then .venv/bin/pip install "rulespec[lsp]"; or set "rulespec.server.command". ${looked}`;
}
