import * as z from 'zod';
import type { MessageParameters } from './message-parameters.gen.ts';

/**
 * What the service says, before anybody reads it: the key of a message in `contract/locales/<language>/messages` and
 * what stands in its places. It is plain JSON, so it can be stored, and becomes a sentence where it is read.
 */
export type Text = { readonly key: MessageKey; readonly parameters?: Readonly<Record<string, Parameter>> };
export type MessageKey = keyof MessageParameters<Parameter>;

/** What may stand in a place of a message, beside a word or a number as it is. */
export type Parameter =
  | string
  | number
  | Text
  /** The field of a request, by its label. */
  | { readonly field: string }
  /** A day, `2026-03-01`. */
  | { readonly day: string }
  /** Several things in one sentence: `a, b and c`. */
  | { readonly list: readonly Parameter[] };

type Given<K extends MessageKey> = MessageParameters<Parameter>[K];
type Arguments<K extends MessageKey> = keyof Given<K> extends never ? [] : [parameters: Given<K>];

/** A message of the service with what stands in its places; `attribute` is filled in where the field is known. */
export const text = <const K extends MessageKey>(key: K, ...[parameters]: Arguments<K>): Text =>
  parameters ? { key, parameters } : { key };

export const isText = (value: unknown): value is Text => typeof value === 'object' && value !== null && 'key' in value;

const spokenSchemas = new WeakSet<z.ZodType>();

/** A field of an answer that holds a message: a text where the service gives it, a sentence where it is read. */
export function spoken(max = 500) {
  const schema = z.codec(
    z.custom<Text>((value) => typeof value === 'string' || isText(value)),
    z.string().max(max),
    { decode: (value) => (isText(value) ? value.key : value), encode: (value) => ({ key: value as MessageKey }) },
  );
  spokenSchemas.add(schema);
  return schema;
}
export const isSpoken = (schema: z.ZodType): boolean => spokenSchemas.has(schema);

/** Zod carries messages as strings: a text as the message of a rule. */
export const asIssue = (said: Text): string => JSON.stringify(said);
/** The text that a rule gave as its message. */
export const ofIssue = (message: string): Text => JSON.parse(message) as Text;
