import type { conflictRules, ImportColumn } from '@tenure/contract';

/** What the columns of a kind of file may be read as. */
export type Vocabulary = {
  /** Fields with the headings that mean the same. */
  fields: Readonly<Record<string, readonly string[]>>;
  /** Fields that may have no default for all rows. */
  isPersonal: (field: string) => boolean;
  /** Required fields among those that are given neither by a column nor by a default. */
  missing: (given: ReadonlySet<string>, on_conflict: (typeof conflictRules)[number]) => string[];
};

export const isField = ({ fields }: Vocabulary, name: string) => Object.hasOwn(fields, name);

/** The column in which a file of failed rows tells what is wrong; it comes back with the corrected file. */
export const errorsHeading = 'errors';

/** A column as it is kept: `row` is the first row that fills it. */
export type Column = ImportColumn & { row: number | null };
export type Mapping = Readonly<Record<string, string | null>>;
export type Defaults = Readonly<Record<string, string | number | boolean | null>>;

/** A heading without case, spaces, `_` and `-`. */
const plain = (heading: string) => heading.toLowerCase().replaceAll(/[\s_-]/g, '');

/** Fields by their plain names, and by the other headings that mean them. */
function headingsOf({ fields }: Vocabulary) {
  const exact = new Map(Object.keys(fields).map((name) => [plain(name), name]));
  const aliases = new Map(
    Object.entries(fields).flatMap(([name, words]) => words.map((alias): [string, string] => [plain(alias), name])),
  );
  return { exact, aliases };
}
type Headings = ReturnType<typeof headingsOf>;

function pairsOf(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2)));
}

/** Likeness of two words by the pairs of letters they share (Sørensen–Dice), 0 to 1. */
function likeness(a: string, b: string): number {
  const [left, right] = [pairsOf(a), pairsOf(b)];
  return (2 * left.intersection(right).size) / Math.max(1, left.size + right.size);
}

const likeEnough = 0.6;

/** The field a heading resembles most, or undefined when it resembles none. */
function resembling({ exact, aliases }: Headings, heading: string, taken: ReadonlySet<string>): string | undefined {
  const word = plain(heading);
  const known = [...exact, ...aliases].filter(([, field]) => !taken.has(field));
  const scored = known.map(([name, field]): [number, string] => {
    const inside = Math.min(name.length, word.length) >= 4 && (word.includes(name) || name.includes(word));
    return [Math.max(likeness(word, name), inside ? likeEnough : 0), field];
  });
  const best = scored.toSorted(([a], [b]) => b - a)[0];
  return best && best[0] >= likeEnough ? best[1] : undefined;
}

type Found = { field: string | null; source: ImportColumn['source'] };

/** The choice for a heading; its key may be written in other case. */
function choiceFor(heading: string, mapping: Mapping): string | null | undefined {
  if (Object.hasOwn(mapping, heading)) return mapping[heading];
  const key = Object.keys(mapping).find((name) => name.toLowerCase() === heading.toLowerCase());
  return key === undefined ? undefined : mapping[key];
}

/**
 * What each heading is read as: what the mapping chose; else the field of that name or alias; else nothing, with a
 * suggestion where it resembles one. Each field is read from one column only.
 */
export function mapColumns(vocabulary: Vocabulary, headings: readonly string[], mapping: Mapping | null): Found[] {
  const known = headingsOf(vocabulary);
  const found: (Found | undefined)[] = headings.map((heading) => {
    const choice = choiceFor(heading, mapping ?? {});
    return choice === undefined ? undefined : { field: choice, source: 'chosen' };
  });
  const taken = new Set(found.flatMap((one) => (one?.field ? [one.field] : [])));
  for (const [source, names] of [
    ['exact', known.exact],
    ['alias', known.aliases],
  ] as const)
    for (const [index, heading] of headings.entries()) {
      const field = names.get(plain(heading));
      if (found[index] || !field || taken.has(field)) continue;
      taken.add(field);
      found[index] = { field, source };
    }
  return headings.map((heading, index) => {
    if (found[index]) return found[index];
    const like = plain(heading) === errorsHeading ? undefined : resembling(known, heading, taken);
    return like ? { field: like, source: 'suggested' } : { field: null, source: 'ignored' };
  });
}

/** The field a column is read as; a suggestion is none yet. */
export const fieldOf = ({ field, source }: ImportColumn): string | undefined =>
  source === 'suggested' || field === null ? undefined : field;

/** A column whose values are left out although nobody said so. */
export const isLeftOut = ({ header, source }: ImportColumn) =>
  (source === 'suggested' || source === 'ignored') && plain(header) !== errorsHeading;

/** Required fields that have neither a column nor a default. */
export function missingFields(
  vocabulary: Vocabulary,
  columns: readonly ImportColumn[],
  defaults: Defaults,
  on_conflict: (typeof conflictRules)[number],
): string[] {
  const given = new Set<string>([
    ...columns.flatMap((column) => fieldOf(column) ?? []),
    ...Object.keys(defaults).filter((field) => defaults[field] !== null),
  ]);
  return vocabulary.missing(given, on_conflict);
}

/** Where in a row's cells each field stands. */
export type Layout<Field extends string = string> = ReadonlyMap<Field, number>;

/** The layout of columns whose fields were checked against the vocabulary that has them. */
export const layoutOf = <Field extends string = string>(columns: readonly ImportColumn[]): Layout<Field> =>
  new Map(
    columns.flatMap((column, index): [Field, number][] => {
      const field = fieldOf(column);
      return field ? [[field as Field, index]] : [];
    }),
  );
