/** What went wrong at the server: a code of the page's own words, what they name, and the problem behind it in English. */

export interface Trouble {
  code: string;
  given: Record<string, string>;
  detail: string;
}

/** What a server says of it; without a code its own words are all there is. */
export function troubleOf(told: Record<string, unknown> | object): Trouble {
  const { code, given, detail, text, error } = told as Record<string, unknown>;
  if (typeof code !== "string") return { code: "", given: {}, detail: String(text ?? error ?? "") };
  const names = Object.entries((given ?? {}) as Record<string, unknown>);
  const words = Object.fromEntries(names.map(([name, value]) => [name, String(value)]));
  return { code, given: words, detail: typeof detail === "string" ? detail : "" };
}
