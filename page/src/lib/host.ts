/** What whoever has the host's key may ask of the server. */

import { type Trouble, troubleOf } from "./trouble";

export interface Game {
  id: string;
  title: string;
  languages: string[];
  players: [number, number];
  options: {
    id: string;
    name: string;
    about: string | null;
    start: string | null;
    values: { id: string; name: string }[];
  }[];
  variants: { id: string; name: string }[];
}

export interface TableNow {
  id: string;
  game: string;
  seats: string[];
  here: number[];
}

export interface NewTable {
  game: string;
  seats: string[];
  options: Record<string, string>;
  variants: string[];
  pace: number;
}

/** A table's links: of each seat of a person, and of spectators. */
export interface Links {
  table: string;
  links: { seat: number; link: string }[];
  spectator: string;
}

/** What the server says instead of doing it. */
export class HostError extends Error {
  constructor(
    readonly status: number,
    readonly trouble: Trouble,
  ) {
    super(trouble.detail);
  }
}

/** Bytes of a save or a log that the server reads: a larger one is not sent. */
export const LONGEST_SAVE = 16_000_000;

const KEPT = "rulespec.links";
const ONCE = "once-";

/** The host's key: what stands in the address, or what is got once for the word there. It takes the word's place. */
export async function keyOf(word: string): Promise<string> {
  if (!word.startsWith(ONCE)) return word;
  const answer = await fetch("/api/host", { method: "POST", headers: { authorization: `Bearer ${word}` } });
  if (!answer.ok) return word;
  const { key } = (await answer.json()) as { key: string };
  window.history.replaceState(null, "", `#${key}`);
  return key;
}

export class Host {
  constructor(readonly key: string) {}

  async games(language: string): Promise<Game[]> {
    return (await this.#ask<{ games: Game[] }>(`/api/games?language=${encodeURIComponent(language)}`)).games;
  }

  async tables(): Promise<TableNow[]> {
    return (await this.#ask<{ tables: TableNow[] }>("/api/tables")).tables;
  }

  make(wanted: NewTable): Promise<Links> {
    return this.#made("/api/tables", JSON.stringify(wanted));
  }

  /** A new table that goes on with a save or a log. */
  async load(file: Blob): Promise<Links> {
    if (file.size > LONGEST_SAVE) {
      const limit = LONGEST_SAVE.toLocaleString("en");
      throw new HostError(413, { code: "long", given: { limit }, detail: "" });
    }
    return this.#made("/api/saves", await file.arrayBuffer());
  }

  async #made(place: string, body: BodyInit): Promise<Links> {
    const made = await this.#ask<Links>(place, { method: "POST", body });
    keepLinks([...keptLinks().filter((each) => each.table !== made.table), made]);
    return made;
  }

  async remove(table: string): Promise<void> {
    await this.#ask<null>(`/api/tables/${encodeURIComponent(table)}`, { method: "DELETE" });
    keepLinks(keptLinks().filter((each) => each.table !== table));
  }

  /** The game as it stands (`rulespec play --load` goes on with it), or its log (`rulespec replay` plays it again). */
  async file(table: string, what: "save" | "log"): Promise<Blob> {
    const answer = await this.#answer(`/api/tables/${encodeURIComponent(table)}/${what}`);
    return answer.blob();
  }

  async #answer(place: string, more: RequestInit = {}): Promise<Response> {
    const answer = await fetch(place, { ...more, headers: { authorization: `Bearer ${this.key}` } });
    if (!answer.ok) throw new HostError(answer.status, troubleOf((await answer.json()) as object));
    return answer;
  }

  async #ask<T>(place: string, more: RequestInit = {}): Promise<T> {
    const answer = await this.#answer(place, more);
    return (answer.status === 204 ? null : await answer.json()) as T;
  }
}

/** The links that this browser has made: the server itself keeps digests of them alone. */
export function keptLinks(): Links[] {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "[]") as Links[];
  } catch {
    return [];
  }
}

function keepLinks(links: Links[]): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(links.slice(-200)));
  } catch {
    // a browser that keeps nothing shows links once
  }
}
