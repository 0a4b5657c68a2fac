/**
 * Parsers of search parameters. An invalid value is dropped, so a mistyped address shows the list without that filter.
 */
type Reader<T> = (value: unknown) => T | undefined;

export const wholeNumber =
  (least = 1, most = Number.MAX_SAFE_INTEGER): Reader<number> =>
  (value) => {
    const number = typeof value === 'string' ? Number(value) : value;
    return typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most
      ? number
      : undefined;
  };

export const someText =
  (most = 100): Reader<string> =>
  (value) => {
    const text = typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' && text !== '' ? text.slice(0, most).toWellFormed() : undefined;
  };

export const oneOf =
  <const T extends string>(values: readonly T[]): Reader<T> =>
  (value) =>
    values.find((one) => one === value);

/** One value, or several separated by commas; those that do not fit are dropped. */
export const severalOf =
  <T extends number | string>(one: Reader<T>): Reader<T | string> =>
  (value) => {
    const fitting = new Set(
      String(value)
        .split(',')
        .filter((part) => one(part) !== undefined),
    );
    return fitting.size > 1 ? [...fitting].join(',') : one([...fitting][0]);
  };

/** A day as `YYYY-MM-DD`. */
export const day: Reader<string> = (value) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

export const flag: Reader<true> = (value) => (value === true || value === 'true' || value === 1 ? true : undefined);

type Readers = Record<string, Reader<unknown>>;
type Found<R extends Readers> = { [K in keyof R]?: Exclude<ReturnType<R[K]>, undefined> };

/** Builds the `validateSearch` of a route from one parser per parameter; the order of the address stays. */
export const searchParams =
  <R extends Readers>(readers: R) =>
  (search: Record<string, unknown>): Found<R> => {
    const read = Object.entries(search)
      .filter(([name]) => Object.hasOwn(readers, name))
      .map(([name, value]) => [name, readers[name]?.(value)] as const);
    return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as Found<R>;
  };
