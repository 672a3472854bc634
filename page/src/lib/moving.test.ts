import { expect, it } from "vitest";
import { nearest } from "./moving";
import { withLines } from "./protocol";

const grid = [0, 1, 2].flatMap((y) => [0, 1, 2].map((x) => ({ x: x * 50, y: y * 50 })));

it("goes to the neighbour that an arrow points at", () => {
  expect(nearest(grid, 4, "ArrowLeft")).toBe(3);
  expect(nearest(grid, 4, "ArrowRight")).toBe(5);
  expect(nearest(grid, 4, "ArrowUp")).toBe(1);
  expect(nearest(grid, 4, "ArrowDown")).toBe(7);
});

it("stays at the edge, and with other keys", () => {
  expect(nearest(grid, 0, "ArrowLeft")).toBeNull();
  expect(nearest(grid, 0, "x")).toBeNull();
});

it("takes what is straight ahead before what is nearer and aside", () => {
  const places = [
    { x: 0, y: 0 },
    { x: 100, y: 0 },
    { x: 60, y: 50 },
  ];
  expect(nearest(places, 0, "ArrowRight")).toBe(1);
});

it("puts new lines in the place of those from their first moment on", () => {
  const moment = (n: number, text: string) => ({ n, texts: [text], sites: [[]] });
  const known = [moment(0, "set-up"), moment(1, "old"), moment(2, "older")];
  expect(withLines(known, { type: "lines", since: 1, moments: [moment(1, "new")] })).toEqual([
    moment(0, "set-up"),
    moment(1, "new"),
  ]);
});
