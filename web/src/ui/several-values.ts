/** The values of a search parameter that may have several, separated by commas. */
export const valuesOf = (value: number | string | undefined): string[] =>
  value === undefined ? [] : String(value).split(',');

/** Several values as one search parameter; a single id is a number, as in links. */
export const valueOf = (values: readonly string[]): number | string | undefined => {
  const [first] = values;
  if (first === undefined) return undefined;
  return values.length === 1 && /^\d+$/.test(first) ? Number(first) : values.join(',');
};
