import type { Attribute } from './attributes.ts';
import { subAttributeOf } from './attributes.ts';
import { badValue } from './problem.ts';

/** Values of attributes as clients send them, made what the schema says. */

/** Code units: what has more has no room in an index. */
export const maxText = 500;
const maxMembers = 50_000;
/** Elements of any other list, before and after a change. */
export const maxElements = 100;

export type Complex = Record<string, unknown>;

export const isObject = (value: unknown): value is Complex =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text; null for an empty one. A number is its digits: an id that looks like a number stays a text. */
function toText(value: unknown, { name }: Attribute): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw badValue(`${name} must be a text.`);
  const text = String(value).toWellFormed();
  if (text.length > maxText || text.includes('\0')) throw badValue(`${name} has at most ${maxText} characters.`);
  return text === '' ? null : text;
}

/** Entra ID sends `"False"`, so a word stands for a boolean; for a boolean only. */
function toBoolean(value: unknown, { name }: Attribute): boolean {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (word !== 'true' && word !== 'false') throw badValue(`${name} must be true or false.`);
  return word === 'true';
}

function toComplex(value: unknown, attribute: Attribute): Complex | null {
  // a bare text is the value, as Entra ID sends a manager
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

/** One element of a multi-valued attribute. Null for none. */
export const toElement = (value: unknown, attribute: Attribute) => toOne(value, attribute) as Complex | null;

/** The value of an attribute; null where it is unassigned. Throws 400 invalidValue. Unknown parts are left out. */
export function toValue(value: unknown, attribute: Attribute): unknown {
  if (!attribute.multiValued) return toOne(value, attribute);
  if (value === null || value === undefined) return null;
  const values = Array.isArray(value) ? value : [value];
  const most = attribute.name === 'members' ? maxMembers : maxElements;
  if (values.length > most) throw badValue(`${attribute.name} has at most ${most} elements.`);
  const elements = values.map((one: unknown) => toElement(one, attribute)).filter((one) => one !== null);
  return elements.length === 0 ? null : elements;
}
