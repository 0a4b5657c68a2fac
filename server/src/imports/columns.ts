import type { conflictRules, ImportColumn } from '@tenure/contract';
import { likeness } from './likeness.ts';

/** The fields that columns of a kind of file map to. */
export type Vocabulary = {
  /** Fields with their alternative headings. */
  fields: Readonly<Record<string, readonly string[]>>;
  /** Fields that cannot have a default for all rows. */
  isPersonal: (field: string) => boolean;
  /** Required fields that neither a column nor a default provides. */
  missing: (given: ReadonlySet<string>, on_conflict: (typeof conflictRules)[number]) => string[];
};

export const isField = ({ fields }: Vocabulary, name: string) => Object.hasOwn(fields, name);

/** The heading of the error column in a file of failed rows; a corrected upload includes it. */
export const errorsHeading = 'errors';

/** A stored column: `row` is the first row that fills it. */
export type Column = ImportColumn & { row: number | null };
export type Mapping = Readonly<Record<string, string | null>>;
export type Defaults = Readonly<Record<string, string | number | boolean | null>>;

/** A heading without case, spaces, `_` and `-`. */
const plain = (heading: string) => heading.toLowerCase().replaceAll(/[\s_-]/g, '');

/** Fields by their normalised names and alternative headings. */
function headingsOf({ fields }: Vocabulary) {
  const exact = new Map(Object.keys(fields).map((name) => [plain(name), name]));
  const aliases = new Map(
    Object.entries(fields).flatMap(([name, words]) => words.map((alias): [string, string] => [plain(alias), name])),
  );
  return { exact, aliases };
}
type Headings = ReturnType<typeof headingsOf>;

const likeEnough = 0.6;

/** The field most similar to a heading, or undefined. */
function resembling({ exact, aliases }: Headings, heading: string, taken: ReadonlySet<string>): string | undefined {
  const word = plain(heading);
  const known = [...exact, ...aliases].filter(([, field]) => !taken.has(field));
  const scored = known.map(([name, field]): [number, string] => {
    const isPart = word.includes(name) || name.startsWith(word) || name.endsWith(word);
    const inside = Math.min(name.length, word.length) >= 4 && isPart;
    return [Math.max(likeness(word, name), inside ? likeEnough : 0), field];
  });
  const best = scored.toSorted(([a], [b]) => b - a)[0];
  return best && best[0] >= likeEnough ? best[1] : undefined;
}

type Found = { field: string | null; source: ImportColumn['source'] };

/** The chosen field of a heading; its key may differ in case. */
function choiceFor(heading: string, mapping: Mapping): string | null | undefined {
  if (Object.hasOwn(mapping, heading)) return mapping[heading];
  const key = Object.keys(mapping).find((name) => name.toLowerCase() === heading.toLowerCase());
  return key === undefined ? undefined : mapping[key];
}

/**
 * Maps each heading: to the selected field, else to the field with that name or alias, else to none, with a suggestion
 * if it resembles one. Each field is read from only one column.
 */
export function mapColumns(vocabulary: Vocabulary, headings: readonly string[], mapping: Mapping | null): Found[] {
  const known = headingsOf(vocabulary);
  const found: (Found | undefined)[] = headings.map((heading) => {
    const choice = choiceFor(heading, mapping ?? {});
    return choice === undefined ? undefined : { field: choice, source: 'chosen' };
  });
  const taken = new Set(found.flatMap((one) => (one?.field ? [one.field] : [])));
  const takeNamed = (names: ReadonlyMap<string, string>, source: 'exact' | 'alias') => {
    for (const [index, heading] of headings.entries()) {
      const field = names.get(plain(heading));
      if (found[index] || !field || taken.has(field)) continue;
      taken.add(field);
      found[index] = { field, source };
    }
  };
  takeNamed(known.exact, 'exact');
  takeNamed(known.aliases, 'alias');
  return headings.map((heading, index) => {
    if (found[index]) return found[index];
    const like = plain(heading) === errorsHeading ? undefined : resembling(known, heading, taken);
    return like ? { field: like, source: 'suggested' } : { field: null, source: 'ignored' };
  });
}

/** The field a column maps to; a suggestion does not count. */
export const fieldOf = ({ field, source }: ImportColumn): string | undefined =>
  source === 'suggested' || field === null ? undefined : field;

/** A column that is skipped by default, not by choice. */
export const isLeftOut = ({ header, source }: ImportColumn) =>
  (source === 'suggested' || source === 'ignored') && plain(header) !== errorsHeading;

/** Required fields without a column and without a default. */
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

/** The cell index of each field. */
export type Layout<Field extends string = string> = ReadonlyMap<Field, number>;

/** The layout of columns whose fields were validated against their vocabulary. */
export const layoutOf = <Field extends string = string>(columns: readonly ImportColumn[]): Layout<Field> =>
  new Map(
    columns.flatMap((column, index): [Field, number][] => {
      const field = fieldOf(column);
      return field ? [[field as Field, index]] : [];
    }),
  );
