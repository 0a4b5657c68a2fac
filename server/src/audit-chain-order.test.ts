import { expect, test } from 'vitest';
import { chainAuditLog } from './audit-chain.ts';
import { record } from './audit.ts';
import { startApp } from './testing/app.ts';
import { chainAll } from './testing/chain-all.ts';
import { waitingLocks } from './testing/waiting-locks.ts';

/** Entries are chained in commit order, even by a process that waited for another one. */

const { deps, owner } = await startApp();
const entry = (db: typeof deps.db, label: string) =>
  record({ db, actor: null }, { action: 'entity.created', subject_label: label });

test('an entry of a transaction that ended during the wait comes before those of later ones', async () => {
  await chainAll({ deps, owner });
  const other = await owner.connect();
  const earlier = await deps.db.startTransaction().execute();
  await entry(earlier, 'Earlier');
  await entry(deps.db, 'Between');
  await other.query('begin; select from audit_chain_reached for update');
  const chaining = chainAuditLog(deps.db);
  try {
    await expect.poll(() => waitingLocks(owner), { interval: 10 }).toHaveLength(1);
    await earlier.commit().execute();
    await entry(deps.db, 'Later');
  } finally {
    other.release(true);
  }
  await chaining;
  await chainAll({ deps, owner });
  const { rows } = await owner.query(
    `select a.subject_label from audit_chain c join audit_log a on a.id = c.audit_id
     where a.subject_label in ('Earlier', 'Between', 'Later') order by c.position`,
  );
  expect(rows.map(({ subject_label }) => subject_label)).toEqual(['Earlier', 'Between', 'Later']);
});
