import type { TestProject } from 'vitest/node';
import { migrate } from '../db/migrate.ts';
import * as cluster from './cluster.ts';
import { addColumnsForever } from './columns.ts';
import { prepare } from './rows/sites.ts';

let columns: ReturnType<typeof addColumnsForever> | undefined;

/** One PostgreSQL for the whole run, whose database is migrated once; every test file clones it. */
export async function setup(project: TestProject): Promise<void> {
  if (process.env.ROWS_FOLDER) prepare(process.env.ROWS_FOLDER);
  await cluster.setup(project);
  const { ownerUrl, appUrl } = project.getProvidedContext().cluster;
  await migrate(ownerUrl, new URL(appUrl).username);
  if (process.env.COLUMNS_TEST === 'on') columns = addColumnsForever(ownerUrl);
}

export async function teardown(): Promise<void> {
  if (columns) process.stdout.write(`${await columns.stop()} columns were added\n`);
  await cluster.teardown();
}
