import { expect, test } from 'vitest';
import { connect } from '../server/src/db/connect.ts';
import { brokenInvariants } from '../server/src/invariants/invariants.ts';
import { startApp } from '../server/src/testing/app.ts';
import { seedEvaluations } from './seed-evaluations.ts';
import { seedPeople } from './seed-people.ts';
import { seedProbation } from './seed-probation.ts';

const { database, deps, make, owner: pool } = await startApp();

test('nothing of the seeded data could not have come about, signatures included', async () => {
  await make.admin();
  await seedPeople(pool, { employees: 400 });
  await seedEvaluations(pool);
  const { open, decided } = await seedProbation(pool);
  expect(Math.min(open, decided)).toBeGreaterThan(0);
  const { db: owner } = connect({ url: database.ownerUrl, max: 1 });
  expect(await brokenInvariants(owner, deps.config.DATA_DIR)).toEqual([]);
  await owner.destroy();
});
