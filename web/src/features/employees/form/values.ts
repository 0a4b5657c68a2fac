import { fields, ownerOf, type Field, type FieldName } from './fields.ts';

/** Form values: a text for every field, '' if it is empty. */
export type Values = Partial<Record<FieldName, string>>;

const inside = (record: Readonly<Record<string, unknown>>, name: FieldName): unknown => {
  const [owner = name, key] = name.split('.');
  const value = record[owner];
  return key === undefined ? value : (value as Record<string, unknown> | null | undefined)?.[key];
};

const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || value === true ? String(value) : '';

/** Does the user see this field of the record? Hidden fields are absent. */
export const isShown = (record: object, { name }: Field): boolean =>
  (record as Record<string, unknown>)[ownerOf(name)] !== undefined;

/** A record as form values. */
export function valuesOf(record: object): Values {
  const shown = fields.filter((field) => isShown(record, field));
  return Object.fromEntries(shown.map(({ name }) => [name, asText(inside(record as Record<string, unknown>, name))]));
}

/** The names of fields whose values differ. */
export const changedIn = (before: Values, after: Values): FieldName[] =>
  fields.map(({ name }) => name).filter((name) => (before[name] ?? '') !== (after[name] ?? ''));

const flags = new Set(fields.filter(({ kind }) => kind === 'flag').map(({ name }) => name));
const ids = new Set<FieldName>(['entity_id', 'department_id', 'reporting_manager_id']);

function sent(name: FieldName, text: string): string | number | boolean | null {
  if (flags.has(name)) return text === 'true';
  if (text.trim() === '') return null;
  return ids.has(name) ? Number(text) : text;
}

/** The named fields as a request body: empty ones as null, dotted ones inside their object. */
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

/** The messages of a refusal by form field. A message about an object is shown at its first field. */
export function fieldMessages(errors: Readonly<Record<string, string>>): Partial<Record<FieldName, string>> {
  const entries = Object.entries(errors).flatMap(([name, text]) => {
    const formField = known.has(name) ? name : fields.find((field) => ownerOf(field.name) === name)?.name;
    return formField === undefined ? [] : [[formField, text]];
  });
  return Object.fromEntries(entries) as Partial<Record<FieldName, string>>;
}
