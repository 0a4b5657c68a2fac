import { basename } from 'node:path';
import type { Plugin } from 'vite';

const name = '@tenure/contract';
const virtual = `\0${name}`;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The parts of an endpoint that a request is built from; the browser needs no others. */
const asked = new Set(['method', 'path']);

const isEndpoint = (value: object): boolean => 'method' in value && 'path' in value && 'permission' in value;

/** The part of a contract export a browser needs; undefined for schemas and functions. */
export function plainData(value: unknown): Json | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return value;
  if (Array.isArray(value)) return value.map((one) => plainData(one) ?? null);
  if (typeof value !== 'object' || '_zod' in value) return undefined;
  const entries = Object.entries(value)
    .filter(([key]) => !isEndpoint(value) || asked.has(key))
    .map(([key, inner]) => [key, plainData(inner)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/**
 * Serves the contract to the browser as plain data: methods, paths and lists of values, without the schemas. The
 * service validates, and the schema library alone would take a tenth of the size budget. Types are unaffected: the
 * compiler reads the contract itself. Each export is its own module, so that a screen loads only what it uses.
 */
export function contractData(): Plugin {
  const known = new Map<string, string>();
  async function exported(): Promise<ReadonlyMap<string, string>> {
    if (known.size > 0) return known;
    const contract: Record<string, unknown> = await import(name);
    for (const [key, value] of Object.entries(contract)) {
      const plain = plainData(value);
      if (plain !== undefined) known.set(key, JSON.stringify(plain));
    }
    return known;
  }
  return {
    name: 'tenure-contract-data',
    enforce: 'pre',
    resolveId: (id) => (id === name || id.startsWith(`${name}/data/`) ? `\0${id}` : null),
    async load(id) {
      if (id.startsWith(`${virtual}/data/`)) return `export default ${(await exported()).get(basename(id))};`;
      if (id !== virtual) return null;
      const keys = [...(await exported()).keys()];
      return keys.map((key) => `export { default as ${key} } from '${name}/data/${key}';`).join('\n');
    },
  };
}
