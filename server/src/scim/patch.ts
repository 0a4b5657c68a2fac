import { elementOf, matches } from './filter.ts';
import type { Operation } from './operations.ts';
import type { Path } from './paths.ts';
import { badValue, ScimProblem } from './problem.ts';
import { isObject, maxElements, toElement } from './values.ts';
import type { Complex } from './values.ts';

/** A resource as JSON, with its extensions under their schemas. */
export type Document = Complex;

const printOf = (value: unknown) => JSON.stringify(sorted(value));
const sorted = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;

/** Sets a key, or removes it if there is no value. */
function set(holder: Complex, name: string, value: unknown): void {
  const isEmpty =
    value === null ||
    value === undefined ||
    (Array.isArray(value) && value.length === 0) ||
    (isObject(value) && Object.keys(value).length === 0);
  if (isEmpty) delete holder[name];
  else holder[name] = value;
}

/** At most one element is primary: the last one that an operation made primary. */
function withOnePrimary(elements: Complex[], changed: ReadonlySet<Complex>): Complex[] {
  const chosen = elements.findLast((one) => changed.has(one) && one['primary'] === true);
  if (!chosen) return elements;
  return elements.map((one) => (one !== chosen && one['primary'] === true ? { ...one, primary: false } : one));
}

/** An element with changed values; null once it has none. */
function changedElement(element: Complex, { op, path: { sub }, value }: Operation): Complex | null {
  if (sub) {
    const copy = { ...element };
    set(copy, sub.name, op === 'remove' ? null : value);
    return Object.keys(copy).length === 0 ? null : copy;
  }
  if (op === 'remove') return null;
  return op === 'add' ? { ...element, ...(value as Complex | null) } : (value as Complex | null);
}

/** The missing element that a filter describes, as Entra ID expects; 400 for other filters. */
function newElement({ path: { filter, attribute, sub }, value }: Operation): Complex | null {
  const described = filter && elementOf(filter);
  if (!described) throw new ScimProblem(400, `No element of ${attribute.name} matches the filter.`, 'noTarget');
  if (value === null) return null;
  return toElement({ ...described, ...(sub ? { [sub.name]: value } : value) }, attribute);
}

/** Changes the elements that a path's filter selects, or all of them without a filter. */
function changeElements(elements: readonly Complex[], operation: Operation): Complex[] {
  const { op, path } = operation;
  const { filter } = path;
  const chosen = new Set(elements.filter((one) => !filter || matches(filter, one)));
  if (chosen.size === 0 && filter) {
    const added = op === 'remove' ? null : newElement(operation);
    return added ? withOnePrimary([...elements, added], new Set([added])) : [...elements];
  }
  const changed = new Set<Complex>();
  const after = elements.flatMap((one) => {
    if (!chosen.has(one)) return [one];
    const other = changedElement(one, operation);
    if (other) changed.add(other);
    return other ? [other] : [];
  });
  return withOnePrimary(after, changed);
}

/** Whether an element is the one sent for removal: by its value, else by all sent attributes. */
const isMeant = (element: Complex, sent: Complex) =>
  sent['value'] !== undefined
    ? element['value'] === sent['value']
    : Object.entries(sent).every(([key, value]) => printOf(element[key]) === printOf(value));

/** Changes a multi-valued attribute as a whole. */
function changeList(elements: readonly Complex[], { op, value }: Operation): Complex[] {
  const sent = (value ?? []) as Complex[];
  if (op === 'replace') return withOnePrimary(sent, new Set(sent));
  if (op === 'remove') return value === undefined ? [] : elements.filter((one) => !sent.some((s) => isMeant(one, s)));
  const known = new Set(elements.map(printOf));
  const added = sent.filter((one) => !known.has(printOf(one)));
  return withOnePrimary([...elements, ...added], new Set(added));
}

function changeComplex(before: Complex, { op, path: { sub }, value }: Operation): Complex {
  const after = { ...before };
  if (sub) set(after, sub.name, op === 'remove' ? null : value);
  else for (const [name, one] of Object.entries((value ?? {}) as Complex)) set(after, name, one);
  return after;
}

function changed(before: unknown, operation: Operation): unknown {
  const { op, path, value } = operation;
  const { attribute, filter, sub } = path;
  if (attribute.multiValued) {
    const elements = (before ?? []) as Complex[];
    const after = filter || sub ? changeElements(elements, operation) : changeList(elements, operation);
    if (after.length > maxElements) throw badValue(`${attribute.name} has at most ${maxElements} elements.`);
    return after;
  }
  if (op === 'remove' && !sub) return null;
  if (attribute.type !== 'complex') return value;
  // null removes the whole attribute
  return value === null && !sub ? null : changeComplex((before ?? {}) as Complex, operation);
}

const holderOf = (document: Document, { extension }: Path): Complex =>
  extension === undefined ? document : ((document[extension] ?? {}) as Complex);

/** A copy of a resource after one operation (RFC 7644, 3.5.2). Throws 400 noTarget. */
export function apply(document: Document, operation: Operation): Document {
  const { extension, attribute } = operation.path;
  const after = { ...document };
  const holder = extension === undefined ? after : { ...holderOf(document, operation.path) };
  set(holder, attribute.name, changed(holder[attribute.name], operation));
  if (extension !== undefined) set(after, extension, holder);
  return after;
}

/** A copy of a resource after all operations, in their order. */
export const applyAll = (document: Document, operations: readonly Operation[]): Document =>
  operations.reduce(apply, document);
