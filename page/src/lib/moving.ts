/** Where the arrow keys lead from one site to another. */

export interface Point {
  x: number;
  y: number;
}

const WAYS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The index of the nearest place in the direction of a key; places that lie aside count as further. */
export function nearest(places: readonly Point[], from: number, key: string): number | null {
  const way = WAYS[key];
  const start = places[from];
  if (way === undefined || start === undefined) return null;
  let best: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  places.forEach((place, at) => {
    const along = (place.x - start.x) * way.x + (place.y - start.y) * way.y;
    const aside = Math.abs((place.x - start.x) * way.y) + Math.abs((place.y - start.y) * way.x);
    const far = along + 2 * aside;
    if (at !== from && along > 1 && aside <= 2 * along && far < least) {
      least = far;
      best = at;
    }
  });
  return best;
}
