import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accessMatrix } from '../server/src/access/matrix.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { startCluster } from '../server/src/testing/cluster.ts';
import { schemaText } from '../server/src/testing/schema-text.ts';
import { browserTexts, messageParameters } from './generate-texts.ts';

/** Table types, from the migrated database. */
async function tableTypes(url: string): Promise<string> {
  const out = join(tmpdir(), `tenure-schema-${process.pid}.ts`);
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
  rmSync(out);
  return text;
}

/** The names of each table's columns, from the table types. */
function tableColumns(types: string): string {
  const interfaces = new Map(
    [...types.matchAll(/^export interface (\w+) \{\n([^}]*)\}/gm)].map(([, name = '', body = '']) => [
      name,
      [...body.matchAll(/^ {2}(\w+): (.*);$/gm)].map(([, key = '', type = '']) => ({ key, type })),
    ]),
  );
  const tables = (interfaces.get('DB') ?? []).map(({ key, type }) => {
    const columns = (interfaces.get(type) ?? []).map((column) => `'${column.key}'`);
    return `  ${key}: [${columns.join(', ')}],\n`;
  });
  return `/** Made by \`npm run generate\` from the migrated database: the columns of each table. */\nexport const tableColumns = {\n${tables.join('')}} as const;\n`;
}

/** Writes a generated file; with `--check`, reports if the committed one is stale. */
function write(path: string, text: string): void {
  const target = fileURLToPath(new URL(`../${path}`, import.meta.url));
  if (!process.argv.includes('--check')) writeFileSync(target, text);
  else if (readFileSync(target, 'utf8') !== text) {
    console.error(`${path} is stale: run npm run generate`);
    process.exitCode = 1;
  }
}

write('contract/src/message-parameters.gen.ts', messageParameters());
write('web/src/locales/texts.gen.ts', browserTexts());

const cluster = await startCluster();
try {
  await migrate(cluster.ownerUrl);
  const types = await tableTypes(cluster.ownerUrl);
  write('server/src/db/schema.ts', types);
  write('server/src/db/columns.gen.ts', tableColumns(types));
  write('docs/schema.sql', await schemaText(cluster.ownerUrl));
  write('docs/access-matrix.md', accessMatrix());
} finally {
  await cluster.stop();
}
