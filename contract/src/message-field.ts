import * as z from 'zod';
import { isText } from './texts.ts';
import type { MessageKey, Text } from './texts.ts';

const renderedSchemas = new WeakSet<z.ZodType>();

/** A field of an answer with a message: a text on the service's side, a sentence for the reader. */
export function messageField(max = 500) {
  const schema = z.codec(
    z.custom<Text>((value) => typeof value === 'string' || isText(value)),
    z.string().max(max),
    { decode: (value) => (isText(value) ? value.key : value), encode: (value) => ({ key: value as MessageKey }) },
  );
  renderedSchemas.add(schema);
  return schema;
}

/**
 * A reason in an answer, given by a person or by the service itself. The service's own are stored as English sentences
 * in the same column, and can be read in any language.
 */
export function storedReason(max = 5_000) {
  const schema = z.string().max(max);
  renderedSchemas.add(schema);
  return schema;
}
export const isRendered = (schema: z.ZodType): boolean => renderedSchemas.has(schema);
