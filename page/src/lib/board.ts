/** The picture that a table sends, as elements of the page: nothing but shapes and texts, whatever was sent. */

const SVG = "http://www.w3.org/2000/svg";
const ELEMENTS = new Set(["svg", "g", "rect", "circle", "polygon", "path", "text", "tspan", "title"]);
const LOOKS = new Set(
  (
    "x y width height cx cy r points d fill stroke stroke-width stroke-linecap stroke-linejoin paint-order " +
    "text-anchor dominant-baseline font-weight font-size font-family viewBox xml:space data-site data-below " +
    "data-says data-edge transform fill-rule"
  ).split(" "),
);

interface Policy {
  createHTML(text: string): string;
}

interface Trusted {
  createPolicy(name: string, rules: { createHTML: (text: string) => string }): Policy;
}

/** Browsers that ask who makes elements of texts are told: this module, and for an inert document alone. */
const trusted = (globalThis as { trustedTypes?: Trusted }).trustedTypes;
const policy: Policy = trusted?.createPolicy("rulespec-board", { createHTML: (text) => text }) ?? {
  createHTML: (text) => text,
};

/** A position: the boards, and what lies beside them as a picture of its own, so that both have a size that fits. */
export interface Picture {
  boards: SVGSVGElement;
  below: SVGSVGElement | null;
}

/** The picture, or null where the text is none. Its name is given by whatever stands around it. */
export function pictureOf(text: string, columns: number): Picture | null {
  const read = new DOMParser().parseFromString(policy.createHTML(text), "image/svg+xml").documentElement;
  const boards = read.nodeName === "svg" ? copied(read) : null;
  if (!(boards instanceof SVGSVGElement)) return null;
  boards.querySelector(":scope > title")?.remove();
  for (const shape of boards.querySelectorAll("g[data-edge] > title + *")) {
    shape.setAttribute("stroke", shape.parentElement?.getAttribute("data-edge") ?? ""); // the page lights sites itself
    shape.setAttribute("stroke-width", "1");
  }
  const part = boards.querySelector<SVGGElement>(":scope > g[data-below]");
  if (part === null) return { boards: sized(boards), below: null };
  const [wide, high] = sizeOf(boards);
  const top = Number(part.getAttribute("data-below"));
  const below = boards.cloneNode(false) as SVGSVGElement;
  below.append(part);
  below.setAttribute("viewBox", `0 ${top} ${columns * LETTER + MARGIN} ${high - top}`);
  boards.setAttribute("viewBox", `0 0 ${boardsEnd(boards, wide)} ${top}`);
  return { boards: sized(boards), below: sized(below) };
}

/** Pixels of a letter of a picture, and beside all that is drawn. */
export const LETTER = 9;
export const MARGIN = 32;

/** The page alone says how large a picture is. */
function sized(picture: SVGSVGElement): SVGSVGElement {
  for (const name of ["width", "height"]) picture.removeAttribute(name);
  picture.setAttribute("role", "presentation");
  return picture;
}

export function sizeOf(picture: SVGSVGElement): [number, number] {
  const [, , wide = 0, high = 0] = (picture.getAttribute("viewBox") ?? "").split(" ").map(Number);
  return [wide, high];
}

/** Where the boards end on the right: the lines below may be longer. */
function boardsEnd(boards: SVGSVGElement, most: number): number {
  const right = [...boards.querySelectorAll("g[data-site] > title + *")].map((shape) => {
    const number = (name: string): number => Number(shape.getAttribute(name) ?? 0);
    if (shape.localName === "rect") return number("x") + number("width");
    if (shape.localName === "circle") return number("cx") + number("r");
    const points = (shape.getAttribute("points") ?? "").split(" ");
    return Math.max(...points.map((point) => Number(point.split(",")[0])));
  });
  return right.length === 0 ? most : Math.max(...right) + MARGIN / 2;
}

function copied(from: Element): SVGElement | null {
  if (!ELEMENTS.has(from.localName)) return null;
  const made = document.createElementNS(SVG, from.localName) as SVGElement;
  for (const { name, value } of from.attributes) {
    if (LOOKS.has(name) && !value.includes("url(")) made.setAttribute(name, value);
  }
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) made.append(child.nodeValue ?? "");
    else if (child.nodeType === Node.ELEMENT_NODE) {
      const inner = copied(child as Element);
      if (inner !== null) made.append(inner);
    }
  }
  return made;
}

/** The sites of a picture, in the order in which they were drawn. */
export function sitesIn(picture: Element): SVGGElement[] {
  return [...picture.querySelectorAll<SVGGElement>("g[data-site]")];
}

/** What a site is called. */
export function nameOf(site: Element): string {
  return site.querySelector(":scope > title")?.textContent ?? site.getAttribute("data-site") ?? "";
}

/** What a site is called and what is written in it, for whoever hears the page. */
export function labelOf(site: Element): string {
  const written = [...site.querySelectorAll("text, g[data-says]")]
    .filter((part) => part.localName === "g" || part.closest("g[data-says]") === null)
    .map((part) => (part.getAttribute("data-says") ?? part.textContent ?? "").trim());
  return [nameOf(site), written.filter((text) => text !== "").join(" ")].filter((text) => text !== "").join(": ");
}
