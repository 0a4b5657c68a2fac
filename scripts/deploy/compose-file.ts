import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Reads compose files like the compose tool, for machines without it. `test:deploy` compares both if it is there. */

export type ComposeService = {
  image: string;
  command?: string;
  environment?: Record<string, string | number>;
  secrets?: string[];
  volumes?: string[];
  depends_on?: string[] | Record<string, unknown>;
  deploy?: { replicas?: number };
  [property: string]: unknown;
};
export type Compose = {
  services: Record<string, ComposeService>;
  secrets?: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
};

export const composeFolder = join(import.meta.dirname, '../../deploy/compose');
/** The sets that users start: one file, or a file and an addition, separated by a space. */
export const composeSets = ['compose.yaml', 'compose.cluster.yaml', 'compose.cluster.yaml compose.s3.yaml'];

/** The variables in `.env.example`, or in a copy of it. */
export const readVariables = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

const interpolate = (text: string, variables: Record<string, string>) =>
  text.replaceAll(
    /\$\{([A-Z0-9_]+)(?::-([^}]*)|:\?[^}]*)\}/g,
    (_, name: string, fallback = '') => variables[name] || fallback,
  );

/** Substitutes variables in all texts of a parsed file; an empty text stays a text. */
function resolve(value: unknown, variables: Record<string, string>): unknown {
  if (typeof value === 'string') return interpolate(value, variables);
  if (Array.isArray(value)) return value.map((one) => resolve(one, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one, variables)]));
}

type Properties = Record<string, unknown>;

const isObject = (value: unknown): value is Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How compose merges a value with that of a later file: lists are appended, properties are replaced one by one. */
function added(value: unknown, later: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(later)) return [...(value as unknown[]), ...(later as unknown[])];
  if (!isObject(value) || !isObject(later)) return later ?? value;
  const names = [...new Set([...Object.keys(value), ...Object.keys(later)])];
  return Object.fromEntries(names.map((name) => [name, added(value[name], later[name])]));
}

/** Reads a set of files and resolves variables and anchors. */
export const readCompose = (set: string, variables: Record<string, string>): Compose =>
  set
    .split(' ')
    .map((file) => resolve(parse(readFileSync(join(composeFolder, file), 'utf8'), { merge: true }), variables))
    .reduce(added) as Compose;

/** The services that run the image of Tenure. */
export const servicesOfTenure = ({ services }: Compose, { TENURE_IMAGE }: Record<string, string>) =>
  Object.entries(services).filter(([, { image }]) => image === TENURE_IMAGE);
