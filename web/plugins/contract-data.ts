import type { Plugin } from 'vite';

const name = '@tenure/contract';
const virtual = `\0${name}`;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What a request is made of; the rest of an endpoint is the service's business. */
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
 * Gives the browser the contract as plain data: methods, paths and lists of values, without the schemas.
 * The service is the authority on validity, and the schema library alone would cost a tenth of the size budget. Types
 * are not touched: the compiler reads the contract itself.
 */
export function contractData(): Plugin {
  return {
    name: 'tenure-contract-data',
    enforce: 'pre',
    resolveId: (id) => (id === name ? virtual : null),
    async load(id) {
      if (id !== virtual) return null;
      const contract: Record<string, unknown> = await import(name);
      const exported = Object.entries(contract).map(([key, value]) => [key, plainData(value)] as const);
      return exported
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};`)
        .join('\n');
    },
  };
}
