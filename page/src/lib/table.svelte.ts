/** A seat at a table: the connection, and all that the table has told. */

import {
  type Board,
  type Fault,
  type FromTable,
  type Moment,
  type Note,
  type Options,
  PROTOCOL,
  SUBPROTOCOL,
  type ToTable,
  type View,
  type Welcome,
  withLines,
} from "./protocol";
import { type Trouble, troubleOf } from "./trouble";

/** `crowded`: there is no room at the table, and it is tried again. */
export type Status = "connecting" | "open" | "broken" | "crowded" | "gone" | "refused";

const GONE = 4404;
const FAULT = 1011;
const CROWDED = 1013;
/** Milliseconds until the next try, for each try that failed. */
const PAUSES = [300, 600, 1200, 2500, 5000];
/** Milliseconds until what was too much at once is said again. */
const LATER = 1500;
/** Milliseconds between two pictures that are asked for: what comes quicker is drawn together. */
const DRAWN = 300;
/** Milliseconds until it is asked what an option brings that is pointed at, and between two such questions. */
const POINTED = 150;
const BETWEEN = 500;

/** What a question is answered by; null where it is not. */
type Asked = (answers: string[] | null) => void;

/** A request, without the number that its answer has again. */
type Request = ToTable extends infer Each ? (Each extends { id: number } ? Omit<Each, "id"> : never) : never;

/** What changes the table, as long as it is at the revision that the person looked at. */
type Deed = Extract<ToTable, { type: "choose" | "undo" | "agree" }>;

export class TableClient {
  status = $state<Status>("connecting");
  welcome = $state.raw<Welcome | null>(null);
  view = $state.raw<View | null>(null);
  options = $state.raw<Options | null>(null);
  moments = $state.raw<Moment[]>([]);
  /** What this seat has noted; when the game is over, what anybody has. */
  notes = $state.raw<Note[]>([]);
  board = $state.raw<Board | null>(null);
  /** The moment that is looked at; null is now. */
  moment = $state<number | null>(null);
  /** What options of the open question bring, as far as it was asked for. */
  brings = $state.raw<ReadonlyMap<string, readonly string[]>>(new Map());
  /** What was refused, in the language of the game's texts. */
  notice = $state("");
  /** What went wrong at the server, which the page says in its own words. */
  trouble = $state.raw<Trouble | null>(null);
  /** What a person asked for was too much at once, and was not done. */
  isHurried = $state(false);
  /** Something was chosen, and the table has not answered yet. */
  isChoosing = $state(false);
  /** What has happened since the table was told whole, for whoever hears the page. */
  news = $state("");

  #socket: WebSocket | null = null;
  #tries = 0;
  #everOpen = false;
  #next = 1;
  #asked = new Map<number, Asked>();
  #columns = 76;
  #drawnAt = 0;
  #drawing: ReturnType<typeof setTimeout> | undefined;
  /** What a person wants done and is not answered; said again where it was too much at once. */
  #deed: Deed | null = null;
  /** The keys of options of which it is wanted what they bring, and the question about one that is not answered. */
  #wanted: readonly string[] = [];
  #foreseeing: { id: number; revision: number; key: string } | null = null;
  #foreseenAt = 0;
  #looking: ReturnType<typeof setTimeout> | undefined;
  /** One timer for the next try to connect, and another one for what is said again: neither stops the other. */
  #connecting: ReturnType<typeof setTimeout> | undefined;
  #saying: ReturnType<typeof setTimeout> | undefined;
  #doing: ReturnType<typeof setTimeout> | undefined;
  #isJoined = false;
  /** Whether the table has not answered yet that it speaks the language. */
  #speaks = false;
  #isToldWhole = false;
  readonly #address: string;
  readonly #logAddress: string;
  readonly #token: string;
  #language: string;

  constructor(table: string, token: string, language: string) {
    const { protocol, host } = window.location;
    this.#address = `${protocol === "https:" ? "wss" : "ws"}://${host}/ws/${encodeURIComponent(table)}`;
    this.#logAddress = `${protocol}//${host}/api/tables/${encodeURIComponent(table)}/log`;
    this.#token = token;
    this.#language = language;
  }

  get isMine(): boolean {
    return this.welcome?.you != null && this.view?.decides === this.welcome.you;
  }

  open(): void {
    let socket: WebSocket;
    try {
      socket = new WebSocket(this.#address, [SUBPROTOCOL, this.#token]);
    } catch {
      this.status = "refused"; // no secret word at all
      return;
    }
    this.#socket = socket;
    socket.onopen = () => {
      this.#everOpen = true;
      this.#join();
    };
    socket.onmessage = (event) => this.#take(JSON.parse(String(event.data)) as FromTable);
    socket.onclose = (event) => this.#closed(event.code);
  }

  close(): void {
    clearTimeout(this.#connecting);
    clearTimeout(this.#saying);
    clearTimeout(this.#looking);
    clearTimeout(this.#drawing);
    this.#forgetDeed();
    if (this.#socket !== null) this.#socket.onclose = null;
    this.#socket?.close();
  }

  // ---- what a person does ----

  choose(key: string): void {
    if (this.options === null) return;
    this.#forgetNotice();
    this.#do({ type: "choose", revision: this.options.revision, key, id: this.#next++ });
  }

  undo(): void {
    this.#forgetNotice();
    this.#do({ type: "undo", ...this.#at(), id: this.#next++ });
  }

  agree(agrees: boolean): void {
    this.#do({ type: "agree", agrees, ...this.#at(), id: this.#next++ });
  }

  whyNot(site: string): Promise<string[] | null> {
    return new Promise((done) => this.#request({ type: "why_not", site }, done));
  }

  /** The game's own rules about a site or an action. */
  rules(about: { site: string } | { action: string }): Promise<string[] | null> {
    return new Promise((done) => this.#request({ type: "rules", ...about }, done));
  }

  points(of: string): Promise<string[] | null> {
    return new Promise((done) => this.#request({ type: "points", of }, done));
  }

  /** Pins a note to a moment: an empty list where that was done, else why not. */
  note(moment: number, text: string, revision: number): Promise<string[] | null> {
    return new Promise((done) => this.#request({ type: "note", revision, moment, text }, done));
  }

  /** What this seat may know of the log, as a file; null where that cannot be had, which is told. */
  async log(): Promise<Blob | null> {
    this.#forgetNotice();
    try {
      const answer = await fetch(this.#logAddress, { headers: { authorization: `Bearer ${this.#token}` } });
      if (answer.ok) return await answer.blob();
      this.trouble = troubleOf((await answer.json()) as object);
    } catch (error) {
      this.trouble = troubleOf({ error });
    }
    return null;
  }

  unpin(number: number): void {
    this.#request({ type: "unpin", number });
  }

  /** Asks what options bring, one after the other; what was wanted before and not asked is wanted no more. */
  foresee(keys: readonly string[]): void {
    this.#wanted = keys;
    this.#askNext(POINTED);
  }

  speak(language: string): void {
    this.#language = language;
    this.#speaks = true;
    this.#send({ type: "language", language });
  }

  /** Looks at a moment of the game; null is now. */
  look(moment: number | null): void {
    const last = this.view?.moment ?? 0;
    this.moment = moment === null || moment >= last ? null : Math.max(moment, 0);
    clearTimeout(this.#saying);
    this.#saying = setTimeout(() => this.#sayAgain(), 60); // who slides through a game asks for where they stop
  }

  /** Asks for the picture, with lines of so many letters: at once, or a little after the one before. */
  draw(columns = this.#columns): void {
    this.#columns = columns;
    clearTimeout(this.#drawing);
    const pause = this.#drawnAt + DRAWN - Date.now();
    if (pause <= 0) this.#draw();
    else this.#drawing = setTimeout(() => this.#draw(), pause);
  }

  #draw(): void {
    this.#drawnAt = Date.now();
    this.#send({ type: "draw", columns: this.#columns, ...(this.moment === null ? {} : { moment: this.moment }) });
  }

  // ---- what the table tells ----

  #take(message: FromTable): void {
    switch (message.type) {
      case "welcome":
        this.status = "open";
        this.#isJoined = true;
        this.#tries = 0;
        this.#speaks = false;
        this.#isToldWhole = false;
        this.welcome = message;
        this.notes = [];
        break;
      case "view":
        this.view = message;
        if (this.#deed !== null && this.#deed.revision !== message.revision) this.#forgetDeed();
        if (this.options !== null && this.options.revision !== message.revision) this.options = null;
        if (!this.isMine) this.options = null;
        if (this.options === null) this.#forgetForeseen();
        if (this.moment !== null && this.moment >= message.moment) this.moment = null;
        this.draw();
        break;
      case "options":
        this.#forgetForeseen(); // also where only the language is another one
        this.options = message;
        break;
      case "forecast":
        this.#foreseen(message.id, message.texts);
        break;
      case "lines":
        this.moments = withLines(this.moments, message);
        if (this.#isToldWhole && message.moments.length > 0)
          this.news = message.moments.flatMap((moment) => moment.texts).join(" ");
        this.#isToldWhole = true;
        break;
      case "notes":
        this.notes = message.notes;
        break;
      case "board":
        this.board = message;
        break;
      case "reasons":
        this.#answered(
          message.id,
          message.answers.map((each) => each.text),
        );
        break;
      case "refused":
        if (this.#foreseen(message.id, null)) break;
        if (this.#deed?.id === message.id) this.#forgetDeed();
        if (!this.#answered(message.id, [message.text])) {
          this.notice = message.text;
          this.trouble = null;
        }
        break;
      case "accepted":
        // what was chosen is busy until it is seen what came of it
        if (this.#deed?.id === message.id && this.#deed.type !== "choose") this.#forgetDeed();
        this.#answered(message.id, []);
        break;
      case "error":
        this.#fault(message);
    }
  }

  #fault(fault: Fault): void {
    if (fault.reason === "crowded") return; // the end of the connection says it
    if (fault.id !== undefined && this.#foreseen(fault.id, null)) return; // what was only pointed at is no hurry
    if (fault.reason !== "rate") {
      this.#forgetDeed();
      if (fault.id !== undefined) this.#answered(fault.id, null);
      this.notice = "";
      this.trouble = troubleOf(fault);
      return;
    }
    if (fault.id !== undefined) {
      this.#answered(fault.id, null);
      this.isHurried = true;
      if (this.#deed?.id === fault.id) this.#doing = setTimeout(() => this.#doAgain(), LATER);
      return;
    }
    if (this.#speaks) this.isHurried = true;
    clearTimeout(this.#saying);
    this.#saying = setTimeout(() => this.#sayAgain(), LATER);
  }

  /** Says what the table may not have heard: all that it has no number for is found out by what it answered. */
  #sayAgain(): void {
    if (!this.#isJoined) this.#join();
    else if (this.#speaks) this.speak(this.#language);
    else this.draw();
  }

  // ---- what is to be done ----

  /** Says what is wanted: another wish takes the place of the one before. */
  #do(deed: Deed): void {
    this.isHurried = false;
    if (this.status !== "open") return;
    this.#forgetDeed();
    this.#deed = deed;
    this.isChoosing = deed.type === "choose";
    this.#send(deed);
  }

  /** Once more, by another number. The table does it only where it is still what the person looked at. */
  #doAgain(): void {
    if (this.#deed !== null) this.#do({ ...this.#deed, id: this.#next++ });
  }

  #forgetDeed(): void {
    clearTimeout(this.#doing);
    this.#deed = null;
    this.isChoosing = false;
  }

  #forgetNotice(): void {
    this.notice = "";
    this.trouble = null;
  }

  // ---- what options bring ----

  /** Asks for the next one, in some time: whoever moves over a list asks for where they stop. */
  #askNext(pause: number): void {
    clearTimeout(this.#looking);
    const open = this.#wanted.some((key) => !this.brings.has(key));
    if (!open || this.#foreseeing !== null) return;
    this.#looking = setTimeout(() => this.#ask(), Math.max(pause, this.#foreseenAt + BETWEEN - Date.now()));
  }

  #ask(): void {
    const key = this.#wanted.find((each) => !this.brings.has(each));
    if (key === undefined || this.options === null || this.status !== "open") return;
    const { revision } = this.options;
    this.#foreseeing = { id: this.#next++, revision, key };
    this.#foreseenAt = Date.now();
    this.#send({ type: "foresee", ...this.#foreseeing });
  }

  /** Takes an answer, or that there is none; whether it was one to such a question. */
  #foreseen(id: number, texts: readonly string[] | null): boolean {
    const asked = this.#foreseeing;
    if (asked === null || asked.id !== id) return false;
    this.#foreseeing = null;
    if (texts !== null && asked.revision === this.options?.revision)
      this.brings = new Map(this.brings).set(asked.key, texts);
    else this.#wanted = this.#wanted.filter((key) => key !== asked.key);
    this.#askNext(0);
    return true;
  }

  #forgetForeseen(): void {
    if (this.brings.size > 0) this.brings = new Map();
    this.#wanted = [];
    clearTimeout(this.#looking);
  }

  #join(): void {
    this.#send({ type: "join", protocol: PROTOCOL, language: this.#language });
  }

  /** What a person looks at: what they ask for is done only while it is still so. */
  #at(): { revision?: number } {
    return this.view === null ? {} : { revision: this.view.revision };
  }

  #answered(id: number, answers: string[] | null): boolean {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    asked?.(answers);
    return asked !== undefined;
  }

  #request(request: Request, done?: Asked): void {
    this.isHurried = false;
    if (this.status !== "open") {
      done?.(null);
      return;
    }
    const id = this.#next++;
    if (done !== undefined) this.#asked.set(id, done);
    this.#send({ ...request, id } as ToTable);
  }

  #send(message: ToTable): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #closed(code: number): void {
    for (const done of this.#asked.values()) done(null);
    this.#asked.clear();
    this.#foreseeing = null;
    this.#isJoined = false;
    this.#forgetDeed();
    clearTimeout(this.#saying);
    if (code === GONE) this.status = "gone";
    else if (code === CROWDED) this.status = "crowded";
    else if (code === FAULT && this.trouble !== null) this.status = "refused";
    // who was never let in is told so after some tries: the server may be starting
    else this.status = !this.#everOpen && this.#tries >= 2 ? "refused" : "broken";
    if (this.status === "gone" || this.status === "refused") return;
    const pause = PAUSES[Math.min(this.#tries++, PAUSES.length - 1)];
    clearTimeout(this.#connecting);
    this.#connecting = setTimeout(() => this.open(), pause);
  }
}
