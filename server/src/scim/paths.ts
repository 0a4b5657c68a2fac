import type { Attribute, Resource } from './attributes.ts';
import { attributeOf, subAttributeOf } from './attributes.ts';
import { readFilter } from './filter.ts';
import type { Filter } from './filter.ts';
import { badPath } from './problem.ts';

/** What the path of an operation refers to. */
export type Path = {
  /** The extension schema; undefined for the resource's own. */
  extension: string | undefined;
  attribute: Attribute;
  /** Selects elements of a multi-valued attribute. */
  filter: Filter | undefined;
  sub: Attribute | undefined;
};

/** A path to nothing known here; its text is for the log. */
export type Unknown = { unknown: string };

const maxLength = 1_000;
const shape = /^([A-Za-z][\w$-]*)(?:\[(.+)\])?(?:\.(\$?[A-Za-z][\w$-]*))?$/su;

/** The extension at the start of a path, and the rest. The longest prefix wins, ignoring case. */
function withoutSchema({ core, extensions }: Resource, path: string): { extension: string | undefined; rest: string } {
  const lower = path.toLowerCase();
  const found = [core, ...extensions]
    .toSorted((a, b) => b.id.length - a.id.length)
    .find(({ id }) => lower === id.toLowerCase() || lower.startsWith(`${id.toLowerCase()}:`));
  if (!found) return { extension: undefined, rest: path };
  return { extension: found === core ? undefined : found.id, rest: path.slice(found.id.length + 1) };
}

/** The schema that a path consists of, `core` for the resource's own; undefined for other paths. */
export function schemaOf(resource: Resource, path: string): { extension: string | undefined } | undefined {
  const { extension, rest } = withoutSchema(resource, path);
  return rest === '' && path !== '' ? { extension } : undefined;
}

/** Parses a path of RFC 7644, 3.5.2. Throws 400 invalidPath if it is invalid. */
export function readPath(resource: Resource, path: string): Path | Unknown {
  if (path.length > maxLength) throw badPath(`A path has at most ${maxLength} characters.`);
  const { extension, rest } = withoutSchema(resource, path.trim());
  // a schema that this service does not have
  if (/^urn:/i.test(rest)) return { unknown: rest.slice(0, 200) };
  const [, name, filterText, subName] = shape.exec(rest) ?? [];
  if (name === undefined) throw badPath('The path cannot be read.');
  const attribute = attributeOf(resource, name, extension);
  const filter = filterText === undefined ? undefined : readFilter(filterText);
  if (!attribute) return { unknown: name.slice(0, 200) };
  if (filter && !attribute.multiValued) throw badPath(`${attribute.name} has no elements to choose from.`);
  if (subName === undefined) return { extension, attribute, filter, sub: undefined };
  const sub = subAttributeOf(attribute, subName);
  return sub ? { extension, attribute, filter, sub } : { unknown: `${name}.${subName}`.slice(0, 200) };
}
