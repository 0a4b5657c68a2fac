import type { Endpoint } from '@tenure/contract';
import fastJson from 'fast-json-stringify';
import * as z from 'zod';

type Schema = { [key: string]: unknown };

/** `anyOf: [x, null]` costs a validator at run time; `nullable` costs a comparison. */
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
  // a field of the answer may have one of these names, and is an object here
  if (typeof schema.format === 'string') delete schema.format;
  if (typeof schema.pattern === 'string') delete schema.pattern;
  return schema;
}

export const replySchema = (reply: z.ZodObject): Schema =>
  z.toJSONSchema(reply, { io: 'output', unrepresentable: 'any', reused: 'inline' });

type Writer = (value: unknown) => string;
const writers = new WeakMap<z.ZodObject, Writer>();

/**
 * The serializer compiler: what a reply does not declare cannot be written. Fastify asks for the writer of a reply at its
 * first answer; all of them together take longer than the rest of a start.
 */
export function compileReply(reply: z.ZodObject): Writer {
  const known = writers.get(reply);
  if (known) return known;
  const writer: Writer = fastJson(simplify(replySchema(reply)) as fastJson.Schema);
  writers.set(reply, writer);
  return writer;
}

/** For tests: throws when an answer holds anything its schema does not declare, or misses what it does. */
export function assertDeclared(endpoint: Endpoint, value: unknown): void {
  if (!endpoint.reply) return;
  const parsed = endpoint.reply.parse(value);
  const [declared, actual] = [sortedJson(parsed), sortedJson(value)];
  if (declared !== actual)
    throw new Error(
      `${endpoint.method} ${endpoint.path} answers more than it declares: ${actual} instead of ${declared}`,
    );
}

const sortedJson = (value: unknown) =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
