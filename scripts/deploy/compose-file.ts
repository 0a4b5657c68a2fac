import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The compose files as the tool reads them, for machines without it. `test:deploy` compares both where it is. */

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
export const composeFiles = ['compose.yaml', 'compose.cluster.yaml'];

/** The variables of `.env.example`, or of a copy of it. */
export const readVariables = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

const interpolate = (text: string, variables: Record<string, string>) =>
  text.replaceAll(
    /\$\{([A-Z_]+)(?::-([^}]*)|:\?[^}]*)\}/g,
    (_, name: string, fallback = '') => variables[name] || fallback,
  );

/** Puts variables into every text of a parsed file, so that an empty one stays a text. */
function resolve(value: unknown, variables: Record<string, string>): unknown {
  if (typeof value === 'string') return interpolate(value, variables);
  if (Array.isArray(value)) return value.map((one) => resolve(one, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one, variables)]));
}

/** Reads a file with its variables and anchors put in. */
export const readCompose = (file: string, variables: Record<string, string>): Compose =>
  resolve(parse(readFileSync(join(composeFolder, file), 'utf8'), { merge: true }), variables) as Compose;

/** The services that run the image of Tenure. */
export const servicesOfTenure = ({ services }: Compose, { TENURE_IMAGE }: Record<string, string>) =>
  Object.entries(services).filter(([, { image }]) => image === TENURE_IMAGE);
