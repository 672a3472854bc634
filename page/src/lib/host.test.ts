import { afterEach, expect, test, vi } from "vitest";
import { Host, HostError, keyOf, LONGEST_SAVE } from "./host";

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

test("a file that is too large is not sent, and what is refused says why", async () => {
  let sent = 0;
  vi.stubGlobal("fetch", () => {
    sent += 1;
    const told = { error: "Line 3 is wrong.", code: "save.form", given: { line: "3" }, detail: "RS820: no JSON" };
    return Promise.resolve(new Response(JSON.stringify(told), { status: 422 }));
  });
  const host = new Host("key");
  const refused = (size: number): Promise<unknown> =>
    host
      .load({ size, arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)) } as Blob)
      .catch((error: unknown) => error);
  const large = await refused(LONGEST_SAVE + 1);
  expect(sent).toBe(0);
  expect((large as HostError).trouble).toEqual({ code: "long", given: { limit: "16,000,000" }, detail: "" });
  const wrong = await refused(5);
  expect(wrong).toBeInstanceOf(HostError);
  expect((wrong as HostError).trouble).toEqual({ code: "save.form", given: { line: "3" }, detail: "RS820: no JSON" });
});
