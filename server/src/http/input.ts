import qs from 'qs';

/** The content of a request, normalised: no dangerous keys, trimmed texts, null for empty texts. */
export type Input = Record<string, unknown>;

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);
/** True for a key that could reach a prototype. */
export const isForbiddenKey = (key: string): boolean => forbiddenKeys.has(key);
const untrimmed = new Set(['password', 'password_confirmation', 'current_password']);
const maxDepth = 64;

class TooDeep extends Error {}

/** Trims texts, turns empty ones into null and drops keys that could reach a prototype, at every level. */
function clean(value: unknown, key: string, depth: number): unknown {
  if (typeof value === 'string') return untrimmed.has(key) ? value : value.trim() || null;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) throw new TooDeep();
  if (Array.isArray(value)) return value.map((inner) => clean(inner, key, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value))
    if (!forbiddenKeys.has(name)) copy[name] = clean(inner, name, depth + 1);
  return copy;
}

function cleanInput(value: unknown): Input {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  try {
    return clean(value, '', 1) as Input;
  } catch (error) {
    if (error instanceof TooDeep || error instanceof RangeError) return {};
    throw error;
  }
}

/** Parses JSON text; anything but a JSON object counts as empty input. */
export function readJson(bytes: Uint8Array): Input {
  try {
    return cleanInput(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    return {};
  }
}

/** The value of a form part in JSON; undefined if it is invalid. */
export function readJsonPart(text: string): unknown {
  try {
    return clean(JSON.parse(text), '', 1);
  } catch {
    return undefined;
  }
}

const formOptions = { depth: 5, parameterLimit: 1_000, arrayLimit: 1_000, plainObjects: true } as const;

// The last of repeated plain parameters wins; `tags[]=a&tags[]=b` still makes a list.
const parseForm = (text: string) => qs.parse(text, { ...formOptions, duplicates: 'last' }) as unknown;

/** Parses a form body with `address[city]=x`, `items[0][name]=y` and `tags[]=a`. */
export const readForm = (text: string): Input => cleanInput(parseForm(text));

/** Parses the query string. */
export function readQuery(url: string): Input {
  const start = url.indexOf('?');
  return start < 0 ? {} : cleanInput(parseForm(url.slice(start + 1)));
}

/** Fields of a multipart body, parsed by the same rules as a form. */
export const readFields = (fields: readonly (readonly [string, string])[]): Input =>
  readForm(fields.map(([name, value]) => `${encodeName(name)}=${encodeURIComponent(value)}`).join('&'));

const encodeName = (name: string) => encodeURIComponent(name).replaceAll('%5B', '[').replaceAll('%5D', ']');
