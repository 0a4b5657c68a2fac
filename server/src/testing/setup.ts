import type { TestProject } from 'vitest/node';
import { migrate } from '../db/migrate.ts';
import * as cluster from './cluster.ts';
import { prepare } from './rows/sites.ts';

/** One PostgreSQL for the whole run, its database migrated once; every test file clones it. */
export async function setup(project: TestProject): Promise<void> {
  if (process.env.ROWS_FOLDER) prepare(process.env.ROWS_FOLDER);
  await cluster.setup(project);
  const { ownerUrl, appUrl } = project.getProvidedContext().cluster;
  await migrate(ownerUrl, new URL(appUrl).username);
}

export const teardown = cluster.teardown;
