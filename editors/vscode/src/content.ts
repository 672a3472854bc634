/** Which YAML files are content of a game. Nothing here needs an editor: files are read by a function that is given. */

import { dirname, join } from "node:path";

/** How many folders up from a file its game is looked for, and how many files of a folder are read: as the server. */
export const MOST_UP = 12;
export const MOST_FILES = 500;
const MOST_BYTES = 1_000_000;

const GAME = /^game[ \t]*:(.*)$/m;
const ENDS = /\r\n?|\n/;
const SECTION = /^[^ \t#]/;
const ID = /^[ \t]+id[ \t]*:/;
const ID_IN_BRACES = /^[ \t]*\{[^\n]*\bid[ \t]*:/;
const SCHEMA = /^#[ \t]*yaml-language-server:[ \t]*\$schema=\S*\bcontent\.schema\.json/m;
const VARIANT = /^variant[ \t]*:/m;

/** Whether a file says the id of the game that it declares. */
export function saysAGame(text: string): boolean {
  const found = GAME.exec(text);
  if (found === null || VARIANT.test(text)) {
    return false;
  }
  return ID_IN_BRACES.test(found[1] ?? "") || saysAnIdInside(text);
}

/** Whether a section `game` has a line with an id. Each line is looked at once, however many there are. */
function saysAnIdInside(text: string): boolean {
  let inside = false;
  for (const line of text.split(ENDS)) {
    if (SECTION.test(line)) {
      inside = GAME.test(line);
    } else if (inside && ID.test(line)) {
      return true;
    }
  }
  return false;
}

/** Whether the first lines of a file name the schema of content. */
export function namesTheSchema(text: string): boolean {
  return SCHEMA.test(text.split("\n", 5).join("\n"));
}

/** What is known of a disk: the names in a folder, and the text of a file; nothing where they cannot be read. */
export interface Disk {
  names(folder: string): Promise<readonly string[]>;
  text(path: string, mostBytes: number): Promise<string | undefined>;
}

/** Finds the folders of games, and remembers them until something in them changes. */
export class Games {
  private readonly known = new Map<string, Promise<boolean>>();

  constructor(private readonly disk: Disk) {}

  /**
   * Whether a file is content of a game: by its schema, by what it says, or by a folder around it. A file of the folder
   * `root` is looked at with the folders in that alone: what lies outside of a workspace says nothing of its files.
   */
  async holds(path: string, text: string, root?: string): Promise<boolean> {
    if (namesTheSchema(text) || saysAGame(text)) {
      return true;
    }
    let folder = dirname(path);
    for (let up = 0; up < MOST_UP; up += 1) {
      if (await this.isGame(folder)) {
        return true;
      }
      const above = dirname(folder);
      if (above === folder || folder === root) {
        return false;
      }
      folder = above;
    }
    return false;
  }

  /** A file is another one, new or gone. */
  changed(path: string): void {
    this.known.delete(dirname(path));
  }

  private isGame(folder: string): Promise<boolean> {
    let found = this.known.get(folder);
    if (found === undefined) {
      found = this.look(folder);
      this.known.set(folder, found);
    }
    return found;
  }

  private async look(folder: string): Promise<boolean> {
    const names = (await this.disk.names(folder)).filter((name) => /^[^.].*\.ya?ml$/.test(name));
    for (const name of [...names].sort().slice(0, MOST_FILES)) {
      const text = await this.disk.text(join(folder, name), MOST_BYTES);
      if (text !== undefined && saysAGame(text)) {
        return true;
      }
    }
    return false;
  }
}
