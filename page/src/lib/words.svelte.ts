/** The page's own words, in the language that is chosen: they come from message files like all others. */

interface Words {
  language: string;
  languages: string[];
  words: Record<string, string>;
}

const KEPT = "rulespec.language";
let found = $state<Words>({ language: "en", languages: ["en"], words: {} });

/** A text of the page, with its placeholders filled. */
export function t(key: string, given: Record<string, string | number> = {}): string {
  const text = found.words[key] ?? "";
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => apart(String(given[name] ?? whole)));
}

/** A name that is written from right to left, or that turns the direction, does so for itself alone. */
function apart(text: string): string {
  return /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/.test(text)
    ? String.fromCharCode(0x2068) + text + String.fromCharCode(0x2069)
    : text;
}

export function language(): string {
  return found.language;
}

/** The languages of the page itself. */
export function languages(): readonly string[] {
  return found.languages;
}

/** The language that was chosen before, else the browser's. */
export function wanted(): string {
  return kept() ?? navigator.language ?? "en";
}

export async function speak(code: string, keep = false): Promise<void> {
  const answer = await fetch(`/api/words/${encodeURIComponent(code)}`);
  if (!answer.ok) return;
  found = (await answer.json()) as Words;
  document.documentElement.lang = found.language;
  if (keep) {
    try {
      localStorage.setItem(KEPT, code);
    } catch {
      // a browser that keeps nothing asks again
    }
  }
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

/** A language's name in itself. */
export function nameOfLanguage(code: string): string {
  try {
    return new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}
