import { describe, expect, it } from "vitest";
import { fitting, leadingOn, pick } from "./picking";
import type { Option } from "./protocol";

function option(key: string, ...sites: string[]): Option {
  return { key, text: key, action: "do", lit: sites.map((site) => ({ site })) };
}

const moves = [option("ab", "a", "b"), option("ac", "a", "c"), option("db", "d", "b")];
const marks = [option("a", "a"), option("b", "b")];
const levels = [option("low", "a"), option("high", "a"), option("pass")];

describe("what pointing at a site does", () => {
  it("chooses the one option that fits", () => {
    expect(pick(marks, [], "a")).toEqual({ kind: "chosen", option: marks[0] });
    expect(pick(moves, [], "d")).toEqual({ kind: "chosen", option: moves[2] });
  });
  it("waits for another site where that tells them apart", () => {
    expect(pick(moves, [], "a")).toEqual({ kind: "more", picked: ["a"] });
    expect(leadingOn(moves, ["a"])).toEqual(new Set(["b", "c"]));
    expect(pick(moves, ["a"], "c")).toEqual({ kind: "chosen", option: moves[1] });
  });
  it("asks where no site tells them apart", () => {
    expect(pick(levels, [], "a")).toEqual({ kind: "menu", picked: ["a"], options: [levels[0], levels[1]] });
  });
  it("asks too where one option needs no further site", () => {
    const both = [option("stay", "a"), option("go", "a", "b")];
    expect(pick(both, [], "a")).toEqual({ kind: "menu", picked: ["a"], options: both });
  });
  it("begins anew with a site that does not fit the others", () => {
    expect(pick(moves, ["a"], "d")).toEqual({ kind: "chosen", option: moves[2] });
    expect(pick(moves, ["a"], "z")).toEqual({ kind: "nothing" });
  });
  it("lists what fits all that is picked", () => {
    expect(fitting(levels, [])).toEqual(levels);
    expect(fitting(moves, ["b"]).map((each) => each.key)).toEqual(["ab", "db"]);
  });
});
