import type { Resource } from './attributes.ts';
import { badValue } from './problem.ts';
import { isObject } from './values.ts';
import type { Document } from './patch.ts';

/** An object without null and empty values. */
export const compact = (fields: Document): Document =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => {
      if (value === null || value === undefined) return false;
      return typeof value !== 'object' || Object.keys(value).length > 0;
    }),
  );

/** Names in `attributes` and `excludedAttributes` (RFC 7644, 3.9). */
export type Selection = { attributes: string[]; excluded: string[] };

const always = new Set(['id', 'schemas']);

/** The name of an attribute in lower case, without the schemas of its resource. */
const bareName = ({ core }: Resource, name: string) => {
  const lower = name.trim().toLowerCase();
  const prefix = `${core.id.toLowerCase()}:`;
  return lower.startsWith(prefix) ? lower.slice(prefix.length) : lower;
};

/** Whether a key of a level is wanted: as a whole, in parts, or not at all. */
function wantedOf(key: string, names: readonly string[], separators: readonly string[]) {
  const lower = key.toLowerCase();
  if (names.includes(lower)) return 'all' as const;
  const parts = separators
    .map((separator) => `${lower}${separator}`)
    .flatMap((prefix) => names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)));
  return parts.length > 0 ? parts : undefined;
}

const within = (value: unknown, change: (inner: Document) => Document): unknown => {
  if (Array.isArray(value)) return value.map((one) => within(one, change));
  return isObject(value) ? change(value) : value;
};

function only(document: Document, names: readonly string[], separators: readonly string[]): Document {
  return Object.fromEntries(
    Object.entries(document).flatMap(([key, value]) => {
      const wanted = always.has(key) ? 'all' : wantedOf(key, names, separators);
      if (wanted === undefined) return [];
      return [[key, wanted === 'all' ? value : within(value, (inner) => only(inner, wanted, ['.']))]];
    }),
  );
}

function without(document: Document, names: readonly string[], separators: readonly string[]): Document {
  return Object.fromEntries(
    Object.entries(document).flatMap(([key, value]) => {
      const unwanted = always.has(key) ? undefined : wantedOf(key, names, separators);
      if (unwanted === 'all') return [];
      return [[key, unwanted ? within(value, (inner) => without(inner, unwanted, ['.'])) : value]];
    }),
  );
}

// an extension is followed by a colon, an attribute by a dot
const separators = [':', '.'];

/** The parts of a resource that a client wants. */
export function select(resource: Resource, document: Document, { attributes, excluded }: Selection): Document {
  const named = (names: string[]) => names.map((name) => bareName(resource, name));
  if (attributes.length > 0) return only(document, named(attributes), separators);
  return excluded.length > 0 ? without(document, named(excluded), separators) : document;
}

/** Whether a client wants an attribute that is costly to read. */
export function isWanted(resource: Resource, name: string, { attributes, excluded }: Selection): boolean {
  const isNamed = (names: string[]) =>
    names.some((one) => {
      const bare = bareName(resource, one);
      return bare === name || bare.startsWith(`${name}.`);
    });
  if (attributes.length > 0) return isNamed(attributes);
  return !excluded.some((one) => bareName(resource, one) === name);
}

/** Parses a list of names. Throws 400 invalidValue. */
export function namesIn(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const texts: unknown[] = Array.isArray(value) ? value : [value];
  if (!texts.every((one) => typeof one === 'string')) throw badValue('A list of attributes has texts alone.');
  const text = texts.join();
  if (text.length > 4_000) throw badValue('A list of attributes has at most 4,000 characters.');
  return text.split(',').filter((name) => name.trim() !== '');
}
