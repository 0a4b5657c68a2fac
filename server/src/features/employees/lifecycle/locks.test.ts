import type { PoolClient } from 'pg';
import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import { kpiMaker } from '../../../testing/make-kpi.ts';
import { probationMaker } from '../../../testing/make-probation.ts';
import { waitingLocks } from '../../../testing/waiting-locks.ts';

/** Every action that ends a person's work takes locks in the order of docs/locks.md. */

const app = await startApp();
const { as, make, owner } = app;
const [kpi, probation] = [kpiMaker(app), probationMaker(app)];
const { id: department_id, entity_id } = await make.department();
const hr = await as((await make.employee({ department_id, roles: ['HR'] })).user_id);
const leader = () => make.employee({ department_id, roles: ['HR', 'Manager'] });

/** A person with one responsibility of each kind, in lock order. */
async function boss() {
  const [from, heir] = [await leader(), await leader()];
  const department = await make.department({ entity_id, manager_id: from.id });
  const report = await make.employee({ department_id, reporting_manager_id: from.id });
  const cycle = await kpi.cycle({ owner_id: from.id, entity_id });
  const review = await probation.review({ reviewer: from, employee: await probation.person({ department_id }) });
  const evaluation = await kpi.evaluation({ reviewer: from, employee: report });
  const held: [table: string, id: number][] = [
    ['departments', department.id],
    ['employees', report.id],
    ['kpi_cycles', cycle.id],
    ['probation_reviews', review.id],
    ['kpi_evaluations', evaluation.id],
  ];
  return { path: `/api/employees/${from.id}`, heir, held };
}

const waiting = async () => (await waitingLocks(owner)).length;

/** The locked rows among these; takes no locks. */
async function heldOf(connection: PoolClient, rows: readonly [table: string, id: number][]): Promise<string[]> {
  const found: string[] = [];
  for (const [table, id] of rows) {
    await connection.query('savepoint look');
    await connection.query(`select from ${table} where id = ${id} for update nowait`).catch(() => found.push(table));
    await connection.query('rollback to savepoint look');
  }
  return found;
}

test.each([
  ['deactivate', { reason: 'On leave for a year' }],
  ['separate', { reason: 'Another job', type: 'resigned', last_working_date: '2099-01-01' }],
])('%s locks departments, people, cycles, reviews and evaluations in this order', async (step, body) => {
  for (const place of [0, 1, 2, 3, 4]) {
    const { path, heir, held } = await boss();
    const [table, id] = held[place] as [string, number];
    const connection = await owner.connect();
    try {
      await connection.query('begin');
      await connection.query(`select from ${table} where id = ${id} for update`);
      const answer = hr.post(`${path}/${step}`, { ...body, reassign_to: heir.id });
      await expect.poll(waiting, { interval: 10 }).toBe(1);
      expect([table, await heldOf(connection, held.slice(place + 1))]).toEqual([table, []]);
      await connection.query('rollback');
      expect((await answer).status, table).toBe(200);
    } finally {
      connection.release();
    }
  }
});
