/** The shape of the values in one place, combined from all that were seen. */
export type Shape = {
  /** `null`, `string`, `number`, `boolean`, `array`, `object` or the name of a class. */
  kinds: string[];
  /** The distinct texts, as long as they are few and short. */
  texts?: string[];
  /** The elements of arrays. */
  of?: Shape;
  /** How many objects there were, and their fields. */
  objects?: number;
  fields?: Record<string, Field>;
};
type Field = { shape: Shape; seen: number };

const [maxTexts, longestText, maxFields, maxElements] = [12, 60, 100, 20];

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'object') return typeof value;
  const { name } = value.constructor;
  return name === 'Object' ? 'object' : name;
}

export const emptyShape = (): Shape => ({ kinds: [], texts: [] });

/** Adds a value to a shape. */
export function addTo(shape: Shape, value: unknown): void {
  const kind = kindOf(value);
  if (!shape.kinds.includes(kind)) shape.kinds.push(kind);
  if (typeof value === 'string') addText(shape, value);
  else if (Array.isArray(value)) for (const one of value.slice(0, maxElements)) addTo((shape.of ??= emptyShape()), one);
  else if (kind === 'object') addFields(shape, value as object);
}

function addText(shape: Shape, text: string): void {
  if (!shape.texts || shape.texts.includes(text)) return;
  if (shape.texts.length === maxTexts || text.length > longestText) delete shape.texts;
  else shape.texts.push(text);
}

function addFields(shape: Shape, value: object): void {
  shape.objects = (shape.objects ?? 0) + 1;
  const fields = (shape.fields ??= {});
  for (const [name, inner] of Object.entries(value)) {
    if (!fields[name] && Object.keys(fields).length >= maxFields) continue;
    const field = (fields[name] ??= { shape: emptyShape(), seen: 0 });
    field.seen++;
    addTo(field.shape, inner);
  }
}

const both = <T>(one: T | undefined, other: T | undefined, join: (a: T, b: T) => T): T | undefined =>
  one && other ? join(one, other) : (one ?? other);

/** Combines two shapes. */
export function merge(one: Shape, other: Shape): Shape {
  const texts = one.texts && other.texts && [...new Set([...one.texts, ...other.texts])];
  const of = both(one.of, other.of, merge);
  const fields = both(one.fields, other.fields, mergeFields);
  return {
    kinds: [...new Set([...one.kinds, ...other.kinds])],
    ...(texts && texts.length <= maxTexts && { texts }),
    ...(of && { of }),
    ...(fields && { objects: (one.objects ?? 0) + (other.objects ?? 0), fields }),
  };
}

function mergeFields(one: Record<string, Field>, other: Record<string, Field>): Record<string, Field> {
  const merged = { ...one };
  for (const [name, field] of Object.entries(other)) {
    const known = merged[name];
    merged[name] = known ? { shape: merge(known.shape, field.shape), seen: known.seen + field.seen } : field;
  }
  return merged;
}
