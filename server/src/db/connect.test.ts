import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { cloneDatabase } from '../testing/app.ts';
import { connect } from './connect.ts';

const { appUrl } = await cloneDatabase();

/** How often PostgreSQL planned a statement for its parameters and for any, and whether the connection chose that. */
async function plansOf(options: { planOnce?: boolean; prepared?: boolean }) {
  const { db } = connect({ url: appUrl, max: 1, ...options });
  try {
    const { rows: settings } = await sql<{ setting: string; source: string }>`
      select setting, source from pg_settings where name = 'plan_cache_mode'`.execute(db);
    // where the connection has no choice of its own, the server of the tests has one
    if (settings[0]?.source !== 'client') await sql`set plan_cache_mode = auto`.execute(db);
    for (let id = 0; id < 7; id += 1) await sql`select id as looked_for from roles where id = ${id}`.execute(db);
    const { rows } = await sql<{ generic_plans: number; custom_plans: number }>`
      select generic_plans, custom_plans from pg_prepared_statements where statement like '%looked_for%'`.execute(db);
    return rows[0];
  } finally {
    await db.destroy();
  }
}

test('with planOnce a statement has one plan for any parameters', async () => {
  expect(await plansOf({ planOnce: true })).toEqual({ generic_plans: 7, custom_plans: 0 });
});

test('without it the first plans are for their parameters', async () => {
  expect(await plansOf({})).toEqual({ generic_plans: 2, custom_plans: 5 });
});

test('without prepared statements there is nothing to plan once', async () => {
  expect(await plansOf({ planOnce: true, prepared: false })).toBeUndefined();
});
