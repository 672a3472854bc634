/** The messages of a table that the page speaks with: see schemas/table.schema.json. */

export const PROTOCOL = 1;
export const SUBPROTOCOL = "rulespec.table.1";

export interface Lit {
  site?: string;
  zone?: string;
  owner?: string;
}

export interface Option {
  key: string;
  text: string;
  action: string;
  lit: Lit[];
}

export interface Welcome {
  type: "welcome";
  game: string;
  title: string;
  seats: { seat: string; name: string }[];
  you: string | null;
  language: string;
  languages: string[];
}

export interface View {
  type: "view";
  revision: number;
  moment: number;
  decides: string | null;
  seats: { seat: string; kind: string; kind_name: string; is_away: boolean; points: number }[];
  undo: { by: string; of: string; wanted: string[] } | null;
  over: string[] | null;
}

export interface Options {
  type: "options";
  revision: number;
  heading: string;
  prompt: string;
  picks: string[];
  options: Option[];
}

export interface Moment {
  n: number;
  texts: string[];
  sites: string[][];
}

export interface Lines {
  type: "lines";
  since: number;
  moments: Moment[];
}

export interface Note {
  number: number;
  moment: number;
  seat: string;
  text: string;
  /** False where the moment was taken back since. */
  stands: boolean;
}

export interface Notes {
  type: "notes";
  notes: Note[];
}

export interface Board {
  type: "board";
  revision: number;
  moment: number;
  svg: string;
}

export interface Accepted {
  type: "accepted";
  id: number;
  revision: number;
}

export interface Reasons {
  type: "reasons";
  id: number;
  answers: { text: string }[];
}

export interface Forecast {
  type: "forecast";
  id: number;
  key: string;
  /** Each change in words, and what is not told: also that others choose, or that it could not be worked out. */
  texts: string[];
}

export interface Refused {
  type: "refused";
  id: number;
  reason: string;
  text: string;
}

export interface Fault {
  type: "error";
  reason: string;
  text: string;
  code?: string;
  given?: Record<string, string>;
  detail?: string;
  id?: number;
}

export type FromTable =
  | Welcome
  | View
  | Options
  | Lines
  | Notes
  | Board
  | Accepted
  | Reasons
  | Forecast
  | Refused
  | Fault;

export type ToTable =
  | { type: "join"; protocol: number; language: string }
  | { type: "look" }
  | { type: "draw"; moment?: number; columns: number }
  | { type: "choose"; id: number; revision: number; key: string }
  | { type: "why_not"; id: number; site: string }
  | { type: "rules"; id: number; site: string }
  | { type: "rules"; id: number; action: string }
  | { type: "points"; id: number; of: string }
  | { type: "foresee"; id: number; revision: number; key: string }
  | { type: "undo"; id: number; revision?: number }
  | { type: "agree"; id: number; agrees: boolean; revision?: number }
  | { type: "note"; id: number; revision: number; moment: number; text: string }
  | { type: "unpin"; id: number; number: number }
  | { type: "language"; language: string };

/** The moment that an address leads to; null is now. */
export function momentOf(search: string): number | null {
  const found = /^\?moment=(\d{1,9})$/.exec(search)?.[1];
  return found === undefined ? null : Number(found);
}

/** The lines that a client has after new ones: these take the place of all from their first moment on. */
export function withLines(known: readonly Moment[], lines: Lines): Moment[] {
  return [...known.filter((moment) => moment.n < lines.since), ...lines.moments];
}
