import { afterEach, expect, test, vi } from "vitest";
import { keyOf } from "./host";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("the key takes the place of the word that it was got for", async () => {
  const put: unknown[] = [];
  const asked: unknown[] = [];
  vi.stubGlobal("window", { history: { replaceState: (...words: unknown[]) => put.push(words.at(-1)) } });
  vi.stubGlobal("fetch", (place: string, how: { headers: Record<string, string> }) => {
    asked.push([place, how.headers.authorization]);
    return Promise.resolve(new Response(JSON.stringify({ key: "the key" })));
  });
  expect(await keyOf("once-word")).toBe("the key");
  expect(await keyOf("a key")).toBe("a key");
  expect(asked).toEqual([["/api/host", "Bearer once-word"]]);
  expect(put).toEqual(["#the key"]);
});

test("a word that was used opens nothing", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}", { status: 401 })));
  expect(await keyOf("once-word")).toBe("once-word");
});
