import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { momentOf } from "./protocol";
import { TableClient } from "./table.svelte";

/** The other end of a connection: what was sent, and what the table says. */
class Wire {
  static readonly OPEN = 1;
  static all: Wire[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;

  constructor() {
    Wire.all.push(this);
  }

  static get last(): Wire {
    const found = Wire.all.at(-1);
    if (found === undefined) throw new Error("nobody has connected");
    return found;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.readyState = 3;
  }

  opens(): void {
    this.readyState = 1;
    this.onopen();
  }

  ends(code: number): void {
    this.readyState = 3;
    this.onclose({ code });
  }

  tells(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }

  /** Lets somebody in, at a revision. */
  welcomes(revision = 3): void {
    this.opens();
    this.tells({ type: "welcome", you: "red", language: "en", seats: [], languages: [] });
    this.tells({ type: "view", revision, moment: revision, decides: "red", seats: [], undo: null, over: null });
    this.tells({ type: "options", revision, heading: "", prompt: "", picks: [], options: [] });
    this.tells({ type: "lines", since: 0, moments: [{ n: 1, texts: ["Red passes."], sites: [[]] }] });
  }

  kinds(): unknown[] {
    return this.sent.map((message) => message.type);
  }
}

let client: TableClient;

beforeEach(() => {
  vi.useFakeTimers();
  Wire.all = [];
  vi.stubGlobal("WebSocket", Wire);
  vi.stubGlobal("window", { location: { protocol: "http:", host: "here" } });
  client = new TableClient("table", "token", "en");
  client.open();
});

afterEach(() => {
  client.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the past is looked at while the connection is broken, and it comes back", () => {
  Wire.last.welcomes();
  Wire.last.ends(1006);
  client.look(1);
  expect(client.status).toBe("broken");
  vi.advanceTimersByTime(400);
  expect(Wire.all.length).toBe(2);
  Wire.last.welcomes();
  expect(client.status).toBe("open");
  expect(Wire.last.sent.at(-1)).toMatchObject({ type: "draw", moment: 1 });
});

test("what was too much at once does not stop the next try to connect", () => {
  Wire.last.welcomes();
  Wire.last.tells({ type: "error", reason: "rate", text: "" });
  Wire.last.ends(1006);
  Wire.last.tells({ type: "error", reason: "rate", text: "" });
  vi.advanceTimersByTime(400);
  expect(Wire.all.length).toBe(2);
});

test("where there is no room it is tried as long as it takes", () => {
  for (let n = 1; n <= 8; n++) {
    Wire.last.opens();
    Wire.last.tells({ type: "error", reason: "crowded", text: "no room" });
    Wire.last.ends(1013);
    expect([client.status, client.notice]).toEqual(["crowded", ""]);
    vi.advanceTimersByTime(5000);
    expect(Wire.all.length).toBe(n + 1);
  }
  Wire.last.welcomes();
  expect(client.status).toBe("open");
});

test("who was never let in is told so after some tries", () => {
  for (let n = 0; n < 3; n++) {
    Wire.last.ends(1006);
    vi.advanceTimersByTime(5000);
  }
  expect(client.status).toBe("refused");
  expect(Wire.all.length).toBe(3);
});

test("what is asked for while the connection is broken is answered by nothing", async () => {
  Wire.last.welcomes();
  const asked = client.whyNot("cell[0,0]");
  Wire.last.ends(1006);
  expect(await asked).toBeNull();
  expect(await client.points("red")).toBeNull();
  expect(Wire.last.kinds()).toContain("why_not");
  expect(Wire.last.kinds()).not.toContain("points");
});

test("taking back and agreeing say what was looked at", () => {
  Wire.last.welcomes(7);
  client.undo();
  client.agree(true);
  expect(Wire.last.sent.slice(-2)).toMatchObject([
    { type: "undo", revision: 7 },
    { type: "agree", agrees: true, revision: 7 },
  ]);
});

test("a language that was too much at once is asked for again, and it is told", () => {
  Wire.last.welcomes();
  client.speak("fr");
  Wire.last.tells({ type: "error", reason: "rate", text: "" });
  expect(client.isHurried).toBe(true);
  vi.advanceTimersByTime(1600);
  expect(Wire.last.kinds().filter((kind) => kind === "language").length).toBe(2);
  Wire.last.tells({ type: "welcome", you: "red", language: "fr", seats: [], languages: [] });
  Wire.last.tells({ type: "error", reason: "rate", text: "" });
  vi.advanceTimersByTime(1600);
  expect(Wire.last.sent.at(-1)).toMatchObject({ type: "draw" });
});

test("what was too much at once is told and done a little later, once", () => {
  Wire.last.welcomes(3);
  const deeds = (): unknown[] => Wire.last.sent.filter((each) => ["choose", "undo"].includes(String(each.type)));
  for (const [wanted, what] of [
    [() => client.choose("pass"), { type: "choose", revision: 3, key: "pass" }],
    [() => client.undo(), { type: "undo", revision: 3 }],
  ] as const) {
    const before = deeds().length;
    wanted();
    const id = Wire.last.sent.at(-1)?.id;
    Wire.last.tells({ type: "error", reason: "rate", text: "", id });
    expect(client.isHurried).toBe(true);
    vi.advanceTimersByTime(5000);
    expect(client.isHurried).toBe(false);
    expect(deeds().slice(before)).toMatchObject([what, what]);
    expect(Wire.last.sent.at(-1)?.id).not.toBe(id);
  }
});

test("what was too much at once is not done where the question is over", () => {
  Wire.last.welcomes(3);
  client.choose("pass");
  const id = Wire.last.sent.at(-1)?.id;
  Wire.last.tells({ type: "error", reason: "rate", text: "", id });
  Wire.last.tells({ type: "view", revision: 4, moment: 4, decides: "blue", seats: [], undo: null, over: null });
  vi.advanceTimersByTime(5000);
  expect(Wire.last.kinds().filter((kind) => kind === "choose").length).toBe(1);
});

test("a choice is on its way until it is seen what came of it", () => {
  Wire.last.welcomes(3);
  const id = (): unknown => Wire.last.sent.findLast((each) => each.type === "choose")?.id;
  const ends = [
    () => Wire.last.tells({ type: "refused", id: id(), reason: "late", text: "Too late." }),
    () => Wire.last.tells({ type: "error", reason: "full", text: "Full.", code: "full" }),
    () => Wire.last.ends(1006),
  ];
  for (const end of ends) {
    client.choose("pass");
    expect(client.isChoosing).toBe(true);
    end();
    expect(client.isChoosing).toBe(false);
  }
  vi.advanceTimersByTime(400);
  Wire.last.welcomes(3);
  client.choose("pass");
  Wire.last.tells({ type: "accepted", id: id(), revision: 4 });
  expect(client.isChoosing).toBe(true);
  Wire.last.tells({ type: "view", revision: 4, moment: 4, decides: "blue", seats: [], undo: null, over: null });
  expect(client.isChoosing).toBe(false);
});

test("pictures that follow quickly are drawn together, the last one always", () => {
  Wire.last.welcomes(3);
  const draws = (): number => Wire.last.kinds().filter((kind) => kind === "draw").length;
  expect(draws()).toBe(1);
  for (let revision = 4; revision < 9; revision++)
    Wire.last.tells({ type: "view", revision, moment: revision, decides: "blue", seats: [], undo: null, over: null });
  expect(draws()).toBe(1);
  vi.advanceTimersByTime(1000);
  expect(draws()).toBe(2);
});

test("what an option brings is asked for where somebody stops, one question at a time", () => {
  Wire.last.welcomes();
  const asked = (): unknown[] => Wire.last.sent.filter((each) => each.type === "foresee").map((each) => each.key);
  client.foresee(["a"]);
  vi.advanceTimersByTime(100);
  client.foresee(["b", "c"]);
  vi.advanceTimersByTime(5000);
  expect(asked()).toEqual(["b"]);
  Wire.last.tells({ type: "forecast", id: Wire.last.sent.at(-1)?.id, key: "b", texts: ["+2 points"] });
  expect(client.brings.get("b")).toEqual(["+2 points"]);
  vi.advanceTimersByTime(200);
  expect(asked()).toEqual(["b", "c"]);
  Wire.last.tells({ type: "error", reason: "rate", text: "", id: Wire.last.sent.at(-1)?.id });
  vi.advanceTimersByTime(5000);
  expect([client.isHurried, asked()]).toEqual([false, ["b", "c"]]);
});

test("what was told of another question is forgotten", () => {
  Wire.last.welcomes(3);
  client.foresee(["a"]);
  vi.advanceTimersByTime(200);
  const id = Wire.last.sent.at(-1)?.id;
  Wire.last.tells({ type: "options", revision: 4, heading: "", prompt: "", picks: [], options: [] });
  Wire.last.tells({ type: "forecast", id, key: "a", texts: ["+2 points"] });
  expect(client.brings.size).toBe(0);
});

test("what is not told of an option stands beside what is, whatever the flags are", () => {
  Wire.last.welcomes(3);
  const flags = { unfinished: false, depends: true, others: true, unknown: false };
  const told: [string, string[]][] = [
    ["a", ["+2 points", "the rest depends on what others choose"]],
    ["b", ["it takes too long to work out"]],
  ];
  client.foresee(told.map(([key]) => key));
  for (const [key, texts] of told) {
    vi.advanceTimersByTime(1000);
    const id = Wire.last.sent.at(-1)?.id;
    Wire.last.tells({ type: "forecast", id, key, ...flags, changes: [], unknown: key === "b", texts });
  }
  expect([...client.brings]).toEqual(told);
});

test("what went wrong at the server is told by the page's own words", () => {
  Wire.last.welcomes();
  Wire.last.tells({ type: "error", reason: "full", text: "Full.", code: "full", given: { limit: "9" } });
  expect(client.trouble).toEqual({ code: "full", given: { limit: "9" }, detail: "" });
  Wire.last.tells({ type: "refused", id: 99, reason: "late", text: "Too late." });
  expect([client.trouble, client.notice]).toEqual([null, "Too late."]);
  Wire.last.tells({ type: "error", reason: "fault", text: "At fault. RS1: bad", code: "content", detail: "RS1: bad" });
  expect([client.trouble, client.notice]).toEqual([{ code: "content", given: {}, detail: "RS1: bad" }, ""]);
  Wire.last.ends(1011);
  expect(client.status).toBe("refused");
});

test("what a server says without a code is told as it is", () => {
  Wire.last.welcomes();
  Wire.last.tells({ type: "error", reason: "form", text: "No such message." });
  expect(client.trouble).toEqual({ code: "", given: {}, detail: "No such message." });
});

test("an address leads to a moment", () => {
  expect(["?moment=12", "", "?moment=-1", "?moment=1&x", "?n=1"].map(momentOf)).toEqual([12, null, null, null, null]);
  client.moment = 1;
  Wire.last.welcomes(3);
  expect([client.moment, Wire.last.sent.at(-1)]).toEqual([1, { type: "draw", columns: 76, moment: 1 }]);
});

test("a moment that is not there yet is now", () => {
  client.moment = 40;
  Wire.last.welcomes(3);
  expect(client.moment).toBeNull();
});

test("what happens is told as it comes, and not what was before", () => {
  Wire.last.welcomes();
  expect(client.news).toBe("");
  Wire.last.tells({ type: "lines", since: 2, moments: [{ n: 2, texts: ["Red moves.", "Red wins."], sites: [[]] }] });
  expect(client.news).toBe("Red moves. Red wins.");
});

test("a note is pinned, or is told why not, and what was written is not lost where nobody answers", async () => {
  Wire.last.welcomes(3);
  const answers: [object, string[] | null][] = [
    [{ type: "accepted", revision: 3 }, []],
    [{ type: "refused", reason: "late", text: "Too late." }, ["Too late."]],
    [{ type: "error", reason: "form", text: "No." }, null],
    [{ type: "error", reason: "rate", text: "" }, null],
  ];
  for (const [message, told] of answers) {
    const pinned = client.note(2, "why?", 3);
    const sent = Wire.last.sent.at(-1);
    expect(sent).toMatchObject({ type: "note", moment: 2, text: "why?", revision: 3 });
    Wire.last.tells({ ...message, id: sent?.id });
    expect(await pinned).toEqual(told);
  }
  expect(client.notice).toBe("");
});

test("notes are those that were sent last, and begin anew with another connection", () => {
  Wire.last.welcomes(3);
  const note = { number: 1, moment: 2, seat: "red", text: "why?", stands: true };
  Wire.last.tells({ type: "notes", notes: [note] });
  expect(client.notes).toEqual([note]);
  Wire.last.ends(1006);
  vi.advanceTimersByTime(400);
  Wire.last.welcomes(3);
  expect(client.notes).toEqual([]);
});
