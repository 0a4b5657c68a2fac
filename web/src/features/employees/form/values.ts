import { fields, ownerOf, type Field, type FieldName } from './fields.ts';

/** What stands in a form: text for every field, '' for what is empty. */
export type Values = Partial<Record<FieldName, string>>;

const inside = (record: Readonly<Record<string, unknown>>, name: FieldName): unknown => {
  const [owner = name, key] = name.split('.');
  const value = record[owner];
  return key === undefined ? value : (value as Record<string, unknown> | null | undefined)?.[key];
};

const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || value === true ? String(value) : '';

/** Does the reader see this field of the record? What was kept from them is absent. */
export const isShown = (record: object, { name }: Field): boolean =>
  (record as Record<string, unknown>)[ownerOf(name)] !== undefined;

/** The fields of a record as a form holds them. */
export function valuesOf(record: object): Values {
  const shown = fields.filter((field) => isShown(record, field));
  return Object.fromEntries(shown.map(({ name }) => [name, asText(inside(record as Record<string, unknown>, name))]));
}

/** The names whose values differ. */
export const changedIn = (before: Values, after: Values): FieldName[] =>
  fields.map(({ name }) => name).filter((name) => (before[name] ?? '') !== (after[name] ?? ''));

const flags = new Set(fields.filter(({ kind }) => kind === 'flag').map(({ name }) => name));
const ids = new Set<FieldName>(['entity_id', 'department_id', 'reporting_manager_id']);

function sent(name: FieldName, text: string): string | number | boolean | null {
  if (flags.has(name)) return text === 'true';
  if (text.trim() === '') return null;
  return ids.has(name) ? Number(text) : text;
}

/** The named fields as the body of a request; empty ones as null, those with a dot inside their object. */
export function bodyOf(values: Values, names: readonly FieldName[]): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const name of names) {
    const [owner = name, key] = name.split('.');
    const value = sent(name, values[name] ?? '');
    if (key === undefined) body[owner] = value;
    else body[owner] = { ...(body[owner] as object | undefined), [key]: value };
  }
  return body;
}

const known = new Set<string>(fields.map(({ name }) => name));

/** Messages of a refusal that belong to fields, by field. A message for a whole object stands at its first field. */
export function fieldMessages(errors: Readonly<Record<string, string>>): Partial<Record<FieldName, string>> {
  const entries = Object.entries(errors).flatMap(([name, text]) => {
    const place = known.has(name) ? name : fields.find((field) => ownerOf(field.name) === name)?.name;
    return place === undefined ? [] : [[place, text]];
  });
  return Object.fromEntries(entries) as Partial<Record<FieldName, string>>;
}
