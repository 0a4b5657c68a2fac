import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { migrate } from '../server/src/db/migrate.ts';
import { startCluster } from '../server/src/testing/cluster.ts';

const target = fileURLToPath(new URL('../server/src/db/schema.ts', import.meta.url));

/** Table types from the migrated database; `--check` tells whether the committed ones are current. */
async function tableTypes(url: string): Promise<string> {
  const out = `${target}.tmp`;
  const made = spawnSync(
    'npx',
    [
      'kysely-codegen',
      '--dialect',
      'postgres',
      '--url',
      url,
      '--out-file',
      out,
      '--include-pattern',
      'public.*',
      '--date-parser',
      'string',
      '--numeric-parser',
      'number',
      '--type-mapping',
      JSON.stringify({ int8: 'number', timestamptz: 'string', date: 'string' }),
    ],
    { encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`${made.stdout}${made.stderr}`);
  const text = readFileSync(out, 'utf8');
  const { rmSync } = await import('node:fs');
  rmSync(out);
  return text;
}

const cluster = await startCluster();
try {
  await migrate(cluster.ownerUrl);
  const text = await tableTypes(cluster.ownerUrl);
  if (!process.argv.includes('--check')) writeFileSync(target, text);
  else if (readFileSync(target, 'utf8') !== text) {
    console.error('server/src/db/schema.ts is stale: run npm run generate');
    process.exitCode = 1;
  }
} finally {
  await cluster.stop();
}
