/** Which options a person means who points at sites one after the other. */

import type { Option } from "./protocol";

/** The sites that an option stands for. */
export function sitesOf(option: Option): string[] {
  return option.lit.flatMap((lit) => (lit.site === undefined ? [] : [lit.site]));
}

/** The options that stand for all picked sites. */
export function fitting(options: readonly Option[], picked: readonly string[]): Option[] {
  return options.filter((option) => {
    const sites = sitesOf(option);
    return picked.every((site) => sites.includes(site));
  });
}

/** The sites that lead on from those that are picked: each of them is part of an option that fits. */
export function leadingOn(options: readonly Option[], picked: readonly string[]): Set<string> {
  return new Set(
    fitting(options, picked).flatMap((option) => sitesOf(option).filter((site) => !picked.includes(site))),
  );
}

export type Pick =
  | { kind: "nothing" }
  | { kind: "chosen"; option: Option }
  | { kind: "more"; picked: string[] }
  | { kind: "menu"; picked: string[]; options: Option[] };

/**
 * What pointing at a site does. One option that fits is chosen. Of several that other sites tell apart, these are to be
 * pointed at next; else a menu asks.
 */
export function pick(options: readonly Option[], picked: readonly string[], site: string): Pick {
  const more = picked.includes(site) ? [...picked] : [...picked, site];
  let found = fitting(options, more);
  if (found.length === 0) return picked.length === 0 ? { kind: "nothing" } : pick(options, [], site);
  const [only] = found;
  if (found.length === 1 && only !== undefined) return { kind: "chosen", option: only };
  const rest = found.map((option) =>
    sitesOf(option)
      .filter((each) => !more.includes(each))
      .sort()
      .join(" "),
  );
  const isTold = new Set(rest).size === rest.length && !rest.includes("");
  if (isTold) return { kind: "more", picked: more };
  found = [...found].sort((a, b) => sitesOf(a).length - sitesOf(b).length);
  return { kind: "menu", picked: more, options: found };
}
