import type { Attribute } from './attributes.ts';
import { subAttributeOf } from './attributes.ts';
import { badValue } from './problem.ts';

/** Converts attribute values sent by clients to what the schema says. */

/** In UTF-16 code units; longer texts do not fit in an index. */
export const maxText = 500;
const maxMembers = 50_000;
/** The most elements of any other list, before and after a change. */
export const maxElements = 100;

export type Complex = Record<string, unknown>;

export const isObject = (value: unknown): value is Complex =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text; null for an empty one. A number becomes its digits, because an id may look like a number. */
function toText(value: unknown, { name }: Attribute): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw badValue(`${name} must be a text.`);
  const text = String(value).toWellFormed();
  if (text.length > maxText || text.includes('\0')) throw badValue(`${name} has at most ${maxText} characters.`);
  return text === '' ? null : text;
}

/** Entra ID sends `"False"`, so text stands for a boolean, but only where one is expected. */
function toBoolean(value: unknown, { name }: Attribute): boolean {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (word !== 'true' && word !== 'false') throw badValue(`${name} must be true or false.`);
  return word === 'true';
}

function toComplex(value: unknown, attribute: Attribute): Complex | null {
  // a plain text is the value, as in Entra ID's managers
  if (typeof value === 'string' || typeof value === 'number') return toComplex({ value }, attribute);
  if (!isObject(value)) throw badValue(`${attribute.name} must be an object.`);
  const known: Complex = {};
  for (const [key, inner] of Object.entries(value)) {
    const sub = subAttributeOf(attribute, key);
    const read = sub && toValue(inner, sub);
    if (sub && read !== null) known[sub.name] = read;
  }
  return Object.keys(known).length === 0 ? null : known;
}

function toOne(value: unknown, attribute: Attribute): unknown {
  if (value === null || value === undefined) return null;
  if (attribute.type === 'complex') return toComplex(value, attribute);
  return attribute.type === 'boolean' ? toBoolean(value, attribute) : toText(value, attribute);
}

/** One element of a multi-valued attribute; null for none. */
export const toElement = (value: unknown, attribute: Attribute) => toOne(value, attribute) as Complex | null;

/** The value of an attribute; null if unassigned. Throws 400 invalidValue. Leaves out unknown parts. */
export function toValue(value: unknown, attribute: Attribute): unknown {
  if (!attribute.multiValued) return toOne(value, attribute);
  if (value === null || value === undefined) return null;
  const values = Array.isArray(value) ? value : [value];
  const most = attribute.name === 'members' ? maxMembers : maxElements;
  if (values.length > most) throw badValue(`${attribute.name} has at most ${most} elements.`);
  const elements = values.map((one: unknown) => toElement(one, attribute)).filter((one) => one !== null);
  return elements.length === 0 ? null : elements;
}
