import { expect, vi } from 'vitest';
import { chainAudit } from '../jobs/audit.ts';
import { databaseNow } from '../jobs/task.ts';
import type { TestApp } from './app.ts';

/** Chains audit entries until none is left, because an open transaction in another test's database holds rows back. */
export async function chainAll({ deps, owner }: Pick<TestApp, 'deps' | 'owner'>): Promise<void> {
  const job = { deps, now: await databaseNow(deps.db) };
  await vi.waitFor(
    async () => {
      await chainAudit(job);
      const { rows } = await owner.query(
        'select from audit_log a where not exists (select from audit_chain c where c.audit_id = a.id)',
      );
      expect(rows).toEqual([]);
    },
    { timeout: 10_000 },
  );
}
