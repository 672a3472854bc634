import { expect, test, vi } from "vitest";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const { ways } = await import("./motion.svelte");

test("a line with two places leads from the first to the second", () => {
  expect(ways([["a", "b"]])).toEqual([["b", "a"]]);
});

test("a place that is told of alone is where something appears, unless a way leads there", () => {
  expect(ways([["a", "b"], ["c"], ["b"], []])).toEqual([
    ["b", "a"],
    ["c", null],
  ]);
});
