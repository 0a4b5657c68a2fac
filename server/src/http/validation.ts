import { asIssue, describeIssue, fieldsNeverEmpty, messages, ofIssue } from '@tenure/contract';
import type * as z from 'zod';
import { maxNamed, say } from './errors.ts';
import type { FieldErrors, Message } from './errors.ts';

/** Text that the database and other readers cannot store: NUL and lone surrogates. */
export const hasInvalidCharacters = (value: string) => value.includes('\u0000') || !value.isWellFormed();

/** Paths of the texts in `value` that hold invalid characters; of very many the first ones. */
function invalidTexts(value: unknown, path: string[], found: string[]) {
  if (found.length >= maxNamed) return;
  if (typeof value === 'string') {
    if (hasInvalidCharacters(value)) found.push(path.join('.'));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) invalidTexts(inner, [...path, key], found);
  }
}

/** Messages in the order of the schema's fields. */
export function inOrder(errors: FieldErrors, schema: z.ZodObject): FieldErrors {
  const places = new Map(Object.keys(schema.shape).map((key, index) => [key, index]));
  const place = (key: string) => places.get(key.split('.')[0] ?? '') ?? places.size;
  return Object.fromEntries(Object.entries(errors).sort(([a], [b]) => place(a) - place(b)));
}

const required = asIssue(messages.required);

/** The errors of a field without duplicates. */
export const ofIssues = (field: string, issues: readonly string[]): Message[] =>
  [...new Set(issues)].map((issue) => say(field, ofIssue(issue)));

export type Parsed<T> = { value: T } | { errors: FieldErrors };

/** Checks input against a schema: every message of every field, in the order of the schema's fields; of very many some. */
export function parseInput<T extends z.ZodObject>(schema: T, input: Record<string, unknown>): Parsed<z.output<T>> {
  const known = Object.fromEntries(
    Object.keys(schema.shape).flatMap((key) => (key in input ? [[key, input[key]]] : [])),
  );
  const issues = new Map<string, string[]>();
  const add = (field: string, message: string) => issues.set(field, [...(issues.get(field) ?? []), message]);
  const broken: string[] = [];
  invalidTexts(known, [], broken);
  for (const field of broken) add(field, asIssue(messages.characters));
  for (const field of fieldsNeverEmpty(schema)) if (known[field] === null) add(field, required);
  const parsed = schema.safeParse(known, { error: describeIssue });
  for (const { path, message } of parsed.error?.issues.slice(0, maxNamed) ?? []) {
    const field = path.join('.');
    if (!issues.get(field)?.includes(required)) add(field, message);
  }
  const errors = Object.fromEntries([...issues].map(([field, found]) => [field, ofIssues(field, found)]));
  if (Object.keys(errors).length > 0) return { errors: inOrder(errors, schema) };
  return { value: parsed.data as z.output<T> };
}

/** The fields that are valid by themselves, whatever is wrong with the others. */
export function validFields(schema: z.ZodObject, input: Record<string, unknown>): Record<string, unknown> {
  const valid: Record<string, unknown> = {};
  for (const [field, rule] of Object.entries(schema.shape)) {
    const broken: string[] = [];
    invalidTexts(input[field], [field], broken);
    const parsed = (rule as z.ZodType).safeParse(input[field]);
    if (parsed.success && broken.length === 0) valid[field] = parsed.data;
  }
  return valid;
}
