type Query = Readonly<Record<string, unknown>>;

const textOf = (query: Query) =>
  JSON.stringify(
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );

/** True for queries with the same filters, in any order. */
export const isSameQuery = (one: Query, other: Query): boolean => textOf(one) === textOf(other);
