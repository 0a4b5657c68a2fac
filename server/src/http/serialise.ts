import fastJson from 'fast-json-stringify';
import * as z from 'zod';
import type { LanguageId } from '../languages/catalogue.ts';
import { renderText } from '../languages/answer.ts';
import { rendererOf } from '../languages/render-answer.ts';
import type { Render } from '../languages/render-answer.ts';

type Schema = { [key: string]: unknown };

/** A validator for `anyOf: [x, null]` costs time for each answer; `nullable` costs a comparison. */
function simplify(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(simplify);
  if (typeof node !== 'object' || node === null) return node;
  const schema: Schema = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, simplify(value)]));
  const options = schema.anyOf as Schema[] | undefined;
  const rest = options?.filter((option) => option.type !== 'null');
  if (options && rest?.length === 1 && rest.length < options.length) {
    const { anyOf, ...outer } = schema;
    return { ...outer, ...rest[0], nullable: true };
  }
  // an answer may have a field with one of these names, which is an object here
  if (typeof schema.format === 'string') delete schema.format;
  if (typeof schema.pattern === 'string') delete schema.pattern;
  return schema;
}

export const replySchema = (reply: z.ZodObject): Schema =>
  z.toJSONSchema(reply, { io: 'output', unrepresentable: 'any', reused: 'inline' });

/** The schema of a reply before its texts are rendered. */
const storedSchema = (reply: z.ZodObject): Schema =>
  z.toJSONSchema(reply, { io: 'input', unrepresentable: 'any', reused: 'inline' });

/** Computes something once per reply schema, for use in each answer. */
const onceFor = <T>(make: (reply: z.ZodObject) => T) => {
  const made = new WeakMap<z.ZodObject, { value: T }>();
  return (reply: z.ZodObject): T => {
    const known = made.get(reply) ?? { value: make(reply) };
    made.set(reply, known);
    return known.value;
  };
};

type Writer = (value: unknown) => string;
const compile = (schema: Schema): Writer => fastJson(simplify(schema) as fastJson.Schema);

/**
 * The serializer compiler: what a reply does not declare cannot be written. Fastify requests a reply's serializer at
 * its first answer; compiling all at once takes longer than the rest of a start.
 */
export const compileReply = onceFor<Writer>((reply) => compile(replySchema(reply)));

const renderers = onceFor<Render | undefined>(rendererOf);
const storers = onceFor<Writer>((reply) => compile(storedSchema(reply)));

/** An answer with its texts rendered in the reader's language. */
export const renderedReply = (reply: z.ZodObject, value: unknown, language: LanguageId): unknown =>
  renderers(reply)?.(value, (text) => renderText(language, text)) ?? value;

/** An answer in the form that is stored: with its texts, for readers of any language. */
export const storedReply = (reply: z.ZodObject, value: unknown): string => storers(reply)(value);
