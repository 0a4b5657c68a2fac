import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packTree } from './package/archive.ts';
import { checkSize, limits, megabytesOf } from './package/limits.ts';
import { root } from './package/repository.ts';
import { buildTree, readVersion } from './package/tree.ts';

/** `npm run package`: packages this commit for the current system, as a folder and as an archive. */

const usage = `npm run package -- [--without-database] [--out FOLDER]
FOLDER is build where --out is not given.`;

async function build(out: string, withDatabase: boolean): Promise<void> {
  if (process.platform !== 'linux') throw new Error('Releases are made on Linux.');
  const kind = withDatabase ? '' : '-without-database';
  const tree = join(out, `tenure-${readVersion()}-linux-${process.arch}${kind}`);
  rmSync(tree, { recursive: true, force: true });
  const { commit } = await buildTree({ tree, withDatabase });
  const sum = await packTree(tree);
  const archive = `${tree}.tar.zst`;
  const { tree: most, archive: maxPacked } = withDatabase ? limits.withDatabase : limits.withoutDatabase;
  checkSize(tree, most);
  checkSize(archive, maxPacked);
  console.log(`${tree}  ${megabytesOf(tree).toFixed(0)} MB, commit ${commit}`);
  console.log(`${archive}  ${megabytesOf(archive).toFixed(0)} MB, SHA-256 ${sum}`);
}

try {
  const { values } = parseArgs({
    options: {
      'without-database': { type: 'boolean', default: false },
      out: { type: 'string', default: join(root, 'build') },
      help: { type: 'boolean' },
    },
  });
  if (values.help) console.log(usage);
  else await build(resolve(values.out), !values['without-database']);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
