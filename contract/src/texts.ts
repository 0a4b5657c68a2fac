import type { MessageParameters } from './message-parameters.gen.ts';

/**
 * A text before it is rendered in a language: the key of a message in `contract/locales/<language>/messages` and
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
  /** A day as a notification writes it: `1 Mar 2026`. */
  | { readonly date: string }
  /** Choices of a field by what pages call them: `Full time, Part time`. */
  | { readonly choices: readonly string[]; readonly of: string }
  /** How a file writes days, with the letters of the language: `TT.MM.JJJJ`. */
  | { readonly date_format: string }
  /** Several things in one sentence: `a, b and c`. */
  | { readonly list: readonly Parameter[] };

type Given<K extends MessageKey> = MessageParameters<Parameter>[K];
export type TextArguments<K extends MessageKey> = keyof Given<K> extends never ? [] : [parameters: Given<K>];

/** A message of the service with what stands in its places; `attribute` is filled in where the field is known. */
export const text = <const K extends MessageKey>(key: K, ...[parameters]: TextArguments<K>): Text =>
  parameters ? { key, parameters } : { key };

export const isText = (value: unknown): value is Text => typeof value === 'object' && value !== null && 'key' in value;

/** Zod carries messages as strings: a text as the message of a rule. */
export const asIssue = (said: Text): string => JSON.stringify(said);
/** The text that a rule gave as its message. */
export const ofIssue = (message: string): Text => JSON.parse(message) as Text;
