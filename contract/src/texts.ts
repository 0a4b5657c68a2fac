import type { MessageParameters } from './message-parameters.gen.ts';

/**
 * A text before it is rendered in a language: the key of a message in `contract/locales/<language>/messages`, and its
 * parameters. It is plain JSON, so it can be stored, and is rendered when it is read.
 */
export type Text = { readonly key: MessageKey; readonly parameters?: Readonly<Record<string, Parameter>> };
export type MessageKey = keyof MessageParameters<Parameter>;

/** What a parameter of a message may be, in addition to a plain word or number. */
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
  /** Choices of a field by their labels: `Full time, Part time`. */
  | { readonly choices: readonly string[]; readonly of: string }
  /** The date format of a file, with the letters of the language: `TT.MM.JJJJ`. */
  | { readonly date_format: string }
  /** Several items in one sentence: `a, b and c`. */
  | { readonly list: readonly Parameter[] };

type Given<K extends MessageKey> = MessageParameters<Parameter>[K];
export type TextArguments<K extends MessageKey> = keyof Given<K> extends never ? [] : [parameters: Given<K>];

/** A message of the service with its parameters; `attribute` is filled in where the field is known. */
export const text = <const K extends MessageKey>(key: K, ...[parameters]: TextArguments<K>): Text =>
  parameters ? { key, parameters } : { key };

export const isText = (value: unknown): value is Text => typeof value === 'object' && value !== null && 'key' in value;

/** Zod transports messages as strings: a text as the message of a rule. */
export const asIssue = (said: Text): string => JSON.stringify(said);
/** The text that a rule used as its message. */
export const ofIssue = (message: string): Text => JSON.parse(message) as Text;
