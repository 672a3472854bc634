/** The last move, as something that moves: from the place that it left to the one that it came to. */

const KEPT = "rulespec.motion";
const LONG = 350;

let wanted = $state(kept());

/** Whether moves are to be seen moving: not where somebody wishes otherwise, here or for the whole machine. */
export function moves(): boolean {
  return wanted && !isStill();
}

/** Whether the machine is set to move as little as possible. */
export function isStill(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function setMoves(on: boolean): void {
  wanted = on;
  try {
    localStorage.setItem(KEPT, on ? "on" : "off");
  } catch {
    // a browser that keeps nothing asks again
  }
}

function kept(): boolean {
  try {
    return localStorage.getItem(KEPT) !== "off";
  } catch {
    return true;
  }
}

/** Pairs of places of a moment's lines: where something came to, and where from; null where that is not told. */
export function ways(lines: readonly (readonly string[])[]): [to: string, from: string | null][] {
  const found = new Map<string, string | null>();
  for (const sites of lines) {
    const to = sites.at(-1);
    const from = sites.length > 1 ? (sites.at(-2) ?? null) : null;
    if (to !== undefined && (from !== null || !found.has(to))) found.set(to, from);
  }
  return [...found];
}

/** Lets what lies at a site come from another one, or appear. */
export function move(to: SVGGElement, from: SVGGElement | undefined): void {
  const start = from === undefined ? null : middle(from);
  const end = middle(to);
  const things = [...to.children].filter((child) => child.localName !== "title").slice(1);
  for (const thing of things) {
    const first =
      start === null || end === null
        ? { opacity: 0 }
        : { transform: `translate(${start.x - end.x}px, ${start.y - end.y}px)` };
    const last = start === null || end === null ? { opacity: 1 } : { transform: "translate(0px, 0px)" };
    thing.animate([first, last], { duration: LONG, easing: "ease-out" });
  }
}

function middle(site: SVGGElement): { x: number; y: number } | null {
  const shape = site.querySelector(":scope > title + *");
  if (!(shape instanceof SVGGraphicsElement)) return null;
  const { x, y, width, height } = shape.getBBox();
  return { x: x + width / 2, y: y + height / 2 };
}
