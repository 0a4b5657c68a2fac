import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Package } from './packages.ts';
import { root } from './repository.ts';
import type { Commit } from './repository.ts';

/** The list of everything in a release, in the CycloneDX format. */

/** A library inside a package that npm does not know, with a text of the file that proves its version. */
export type Extra = { package: string; file: string; text: string; name: string; version: string; license: string };

export const readExtras = (): Extra[] =>
  JSON.parse(readFileSync(join(root, 'scripts/sbom-extra.json'), 'utf8')) as Extra[];

type Component = Record<string, unknown> & { name: string; version: string };

const licences = (license: string | undefined) => (license ? { licenses: [{ expression: license }] } : {});

function componentOf({ name, version, license, integrity }: Package): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const sum = Buffer.from(integrity?.replace(/^sha512-/, '') ?? '', 'base64').toString('hex');
  const hashes = integrity?.startsWith('sha512-') ? { hashes: [{ alg: 'SHA-512', content: sum }] } : {};
  return { type: 'library', 'bom-ref': purl, name, version, purl, ...licences(license), ...hashes };
}

const insideOf = (name: string, version: string, owner: string, license?: string): Component => ({
  type: 'library',
  'bom-ref': `${owner}#${name}`,
  name,
  version,
  ...licences(license),
  properties: [{ name: 'tenure:inside', value: owner }],
});

/** The libraries that sharp's package names in a file of its own. */
function insideSharp({ name, path }: Package): Component[] {
  const file = join(root, path, 'versions.json');
  if (!name.startsWith('@img/sharp-libvips') || !existsSync(file)) return [];
  const versions = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return Object.entries(versions).map(([library, version]) => insideOf(library, version, name));
}

const insideDatabase = ({ name: owner }: Package) =>
  readExtras()
    .filter((extra) => extra.package === owner)
    .map(({ name, version, license }) => insideOf(name, version, owner, license));

export type Contents = { version: string; commit: Commit; packages: readonly Package[]; libraries: readonly string[] };

/** Writes the list; two of the same contents are equal. */
export function sbomOf({ version, commit, packages, libraries }: Contents): string {
  const node = process.versions.node;
  const components: Component[] = [
    {
      type: 'platform',
      'bom-ref': 'node',
      name: 'node',
      version: node,
      purl: `pkg:generic/node@${node}`,
      ...licences('MIT'),
    },
    ...libraries.map((name) =>
      insideOf(name, 'of the system that made the release', 'lib', 'GPL-3.0-or-later WITH GCC-exception-3.1'),
    ),
    // one package may be installed in two places
    ...new Map(packages.map((one) => [`${one.name}@${one.version}`, componentOf(one)])).values(),
    ...packages.flatMap((one) => [...insideSharp(one), ...insideDatabase(one)]),
  ];
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: new Date(commit.seconds * 1_000).toISOString(),
      component: { type: 'application', 'bom-ref': 'tenure', name: 'tenure', version, ...licences('Apache-2.0') },
      properties: [{ name: 'tenure:commit', value: commit.hash }],
    },
    components,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
