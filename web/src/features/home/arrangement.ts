import { homeParts, type HomePart, type Preferences } from '@tenure/contract';

export type Arrangement = NonNullable<Preferences['home']>;

/** All parts in the user's order; a part that is missing in it follows its predecessor in the standard order. */
export function orderOf({ order = [] }: Arrangement): HomePart[] {
  const all = [...order];
  for (const [place, name] of homeParts.entries()) {
    if (all.includes(name)) continue;
    const before = homeParts.slice(0, place).findLast((other) => all.includes(other));
    all.splice(before === undefined ? 0 : all.indexOf(before) + 1, 0, name);
  }
  return all;
}

/** The order after moving a part past its next offered neighbour, up (-1) or down (1). */
export function moved(
  order: readonly HomePart[],
  name: HomePart,
  by: -1 | 1,
  offered: readonly HomePart[],
): HomePart[] {
  const shown = order.filter((part) => offered.includes(part));
  const neighbour = shown[shown.indexOf(name) + by];
  if (neighbour === undefined) return [...order];
  const rest = order.filter((part) => part !== name);
  rest.splice(rest.indexOf(neighbour) + (by === 1 ? 1 : 0), 0, name);
  return rest;
}

const isStandard = (order: readonly HomePart[]) => order.every((name, place) => name === homeParts[place]);

/** The stored form of an arrangement; null for the standard one. */
export function stored(order: readonly HomePart[], hidden: readonly HomePart[]): Arrangement | null {
  if (isStandard(order) && hidden.length === 0) return null;
  return { ...(!isStandard(order) && { order: [...order] }), ...(hidden.length > 0 && { hidden: [...hidden] }) };
}
