import type { Resource } from './attributes.ts';
import { readPath, schemaOf } from './paths.ts';
import type { Path } from './paths.ts';
import { badSyntax, ScimProblem } from './problem.ts';
import { isObject, toElement, toValue } from './values.ts';
import type { Complex } from './values.ts';

/** One change to one attribute in the form of RFC 7644, 3.5.2, whatever the client wrote. */
export type Operation = { op: 'add' | 'replace' | 'remove'; path: Path; value: unknown };

/** The changes of a request, and its names that have no meaning here. */
export type Changes = { operations: Operation[]; ignored: string[] };

export const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const maxOperations = 1_000;
const maxNames = 200;

type Reading = { resource: Resource; id: string | undefined; into: Changes };

/** Attributes of every resource that only the service writes. */
const own = new Set(['schemas', 'meta']);

function checkId(value: unknown, id: string | undefined) {
  if (id !== undefined && value !== id) throw new ScimProblem(400, 'The id cannot change.', 'mutability');
}

function valueAt({ attribute, filter, sub }: Path, value: unknown): unknown {
  if (sub) return toValue(value, sub);
  return filter ? toElement(value, attribute) : toValue(value, attribute);
}

/** Adds the change to what a path names. */
function readAt({ resource, id, into }: Reading, op: Operation['op'], path: string, value: unknown): void {
  const name = path.split(/[.[]/, 1)[0]?.toLowerCase() ?? '';
  if (name === 'id') return checkId(value, id);
  if (own.has(name)) return undefined;
  const read = readPath(resource, path);
  if ('unknown' in read) into.ignored.push(read.unknown);
  else if (op === 'remove' && read.attribute.required)
    throw new ScimProblem(400, `${read.attribute.name} is required.`, 'mutability');
  else into.operations.push({ op, path: read, value: value === undefined ? undefined : valueAt(read, value) });
  return undefined;
}

/** Adds the changes in an object without a path: its keys are names, dotted paths, or schemas. */
function readObject(reading: Reading, op: Operation['op'], value: Complex): void {
  const entries = Object.entries(value);
  if (entries.length > maxNames) throw badSyntax(`An object has at most ${maxNames} attributes.`);
  for (const [key, inner] of entries) {
    if (!/^[a-z]/i.test(key)) {
      reading.into.ignored.push(key.slice(0, 200));
      continue;
    }
    const schema = schemaOf(reading.resource, key);
    if (schema && isObject(inner))
      for (const [name, one] of Object.entries(inner).slice(0, maxNames)) readAt(reading, op, `${key}:${name}`, one);
    else readAt(reading, op, key, inner);
  }
}

/** Removes all attributes of an extension schema; the resource's own schema stays. */
function removeSchema(reading: Reading, path: string, extension: string | undefined): void {
  const schema = reading.resource.extensions.find(({ id }) => id === extension);
  if (!schema) throw new ScimProblem(400, 'A removal needs the path of an attribute.', 'noTarget');
  for (const { name } of schema.attributes) readAt(reading, 'remove', `${path}:${name}`, undefined);
}

const ops = new Set(['add', 'replace', 'remove']);

function readOperation(reading: Reading, sent: unknown): void {
  const given = isObject(sent) ? lowerKeys(sent) : {};
  const op = typeof given['op'] === 'string' ? given['op'].toLowerCase() : '';
  if (!ops.has(op)) throw badSyntax('An operation is add, replace or remove.');
  const { path, value } = given;
  if (path !== undefined && path !== null && typeof path !== 'string') throw badSyntax('A path is a text.');
  const schema = path ? schemaOf(reading.resource, path) : { extension: undefined };
  if (path && !schema) return readAt(reading, op as Operation['op'], path, op === 'remove' ? value : (value ?? null));
  if (op === 'remove') return removeSchema(reading, path ?? '', schema?.extension);
  if (!isObject(value)) throw badSyntax('An operation without a path needs an object.');
  return readObject(reading, op as Operation['op'], path ? { [path]: value } : value);
}

const lowerKeys = (value: Complex): Complex =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner]));

/** Whether a message states the wanted schema; one that states none is accepted. */
const claims = (schemas: unknown, wanted: string) =>
  schemas === undefined ||
  (Array.isArray(schemas) &&
    schemas.some((one) => typeof one === 'string' && one.toLowerCase() === wanted.toLowerCase()));

/** Parses a PATCH for the resource with this id. Throws 400. */
export function readPatch(resource: Resource, body: unknown, id?: string): Changes {
  const { operations, schemas } = isObject(body) ? lowerKeys(body) : {};
  if (!Array.isArray(operations) || operations.length === 0 || !claims(schemas, patchSchema))
    throw badSyntax(`A PATCH has the schema ${patchSchema} and a list of Operations.`);
  if (operations.length > maxOperations) throw badSyntax(`A PATCH has at most ${maxOperations} operations.`);
  const into: Changes = { operations: [], ignored: [] };
  for (const one of operations as unknown[]) readOperation({ resource, id, into }, one);
  return into;
}

/** Parses a whole resource of a POST or PUT as the changes that create it. Throws 400. */
export function readResource(resource: Resource, body: unknown, id?: string): Changes {
  const schemas = isObject(body) ? lowerKeys(body)['schemas'] : undefined;
  if (!isObject(body) || !claims(schemas, resource.core.id))
    throw badSyntax(`The body is no resource of the schema ${resource.core.id}.`);
  const into: Changes = { operations: [], ignored: [] };
  readObject({ resource, id, into }, 'replace', body);
  return into;
}
