/** The picture that a table sends, as elements of the page: nothing but shapes and texts, whatever was sent. */

const SVG = "http://www.w3.org/2000/svg";
const ELEMENTS = new Set(["svg", "g", "rect", "circle", "polygon", "path", "text", "tspan", "title"]);
const LOOKS = new Set(
  (
    "x y width height cx cy r points d fill stroke stroke-width stroke-linecap stroke-linejoin paint-order " +
    "text-anchor dominant-baseline font-weight font-size font-family viewBox xml:space data-site"
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

/** The picture, or null where the text is none. Its name is given by whatever stands around it. */
export function pictureOf(text: string): SVGSVGElement | null {
  const read = new DOMParser().parseFromString(policy.createHTML(text), "image/svg+xml").documentElement;
  const made = read.nodeName === "svg" ? copied(read) : null;
  if (!(made instanceof SVGSVGElement)) return null;
  made.querySelector(":scope > title")?.remove();
  made.setAttribute("role", "presentation");
  return made;
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
  const written = [...site.querySelectorAll("text")].map((text) => text.textContent?.trim() ?? "");
  return [nameOf(site), written.filter((text) => text !== "").join(" ")].filter((text) => text !== "").join(": ");
}
