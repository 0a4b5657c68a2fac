import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import { programOf } from '../../../testing/programs.ts';
import { runningExports } from '../../../testing/running-exports.ts';

/** Exports with slow clients: changes in the meantime apply to the parts that follow. */

const started = await startApp();
const { make, deps, owner } = started;
const { roleWith, give, takeAway, begun, begunWith } = runningExports(started);
const alpha = await make.entity({ name: 'Alpha', code: 'ALPHA' });
const buying = await make.department({ entity_id: alpha.id, name: 'Buying' });
const there = await make.department({ name: 'There' });
const many = 3_500;

beforeAll(async () => {
  await owner.query(
    `with made as (insert into users (email) select 'many' || n || '@example.com' from generate_series(1, ${many}) n returning id, email)
     insert into employees (user_id, employee_number, email, first_name, last_name, entity_id, department_id, employment_lifecycle)
     select id, 'M-' || id, email, 'Many', 'Many' || lpad(id::text, 8, '0'), $1, $2, 'confirmed' from made`,
    [alpha.id, buying.id],
  );
  await owner.query('analyze');
});

let roles = 0;
/** A person outside Alpha who can export its people, and no others. */
async function exporter() {
  const roleId = await roleWith(`Exporter ${(roles += 1)}`, 'all', ['employees.view', 'employees.export']);
  const person = await make.employee({ roles: [], department_id: there.id });
  await give(person.user_id, roleId, [alpha.id]);
  return { ...person, roleId };
}

/** Checked-out connections and open transactions, after they have had time to end. */
async function leftBehind() {
  const found = { taken: 0, open: 0 };
  await vi
    .waitFor(
      async () => {
        const { rows } = await sql<{ open: number }>`select count(*)::int as open from pg_stat_activity
          where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`.execute(deps.db);
        found.taken = deps.pool.totalCount - deps.pool.idleCount;
        found.open = rows[0]?.open ?? 0;
        if (found.taken + found.open > 0) throw new Error('not yet');
      },
      { timeout: 20_000, interval: 50 },
    )
    .catch(() => undefined);
  return found;
}

/** An export of the people of Alpha, or of a query. */
async function begunBy(userId: number, query = `?entity_id=${alpha.id}`) {
  const { stream, rest } = await begun(userId, `/employees/export${query}`);
  return {
    stream,
    rest: async () => {
      const { rows, ...whole } = await rest();
      return { ...whole, numbers: rows.map((row) => String(row['employee_number'])) };
    },
  };
}

test('left alone, it is whole', async () => {
  const { user_id } = await exporter();
  const { rest } = await begunBy(user_id);
  const { isWhole, numbers, lines } = await rest();
  expect(isWhole, lines).toBe(true);
  expect(numbers).toHaveLength(many);
});

test('a permission that is taken away between two parts ends it', async () => {
  const { user_id, roleId } = await exporter();
  const { rest } = await begunBy(user_id);
  await takeAway(roleId, 'employees.export');
  const { isWhole, numbers } = await rest();
  expect(isWhole).toBe(false);
  expect(numbers.length).toBeLessThan(many - 1_000);
});

test('a session that ends between two parts ends it', async () => {
  const { user_id } = await exporter();
  const { rest } = await begunBy(user_id);
  await owner.query('update session_register set revoked_at = now() where user_id = $1', [user_id]);
  expect((await rest()).isWhole).toBe(false);
});

test.each([
  ['is revoked', true],
  ['stays', false],
])('an export of a program whose token %s between two parts', async (_what, revoked) => {
  const { user_id } = await exporter();
  const { token, token_id } = await programOf(started, user_id, ['employees.view', 'employees.export']);
  const { rest } = await begunWith({ authorization: `Bearer ${token}` }, `/employees/export?entity_id=${alpha.id}`);
  if (revoked) await owner.query('update api_tokens set revoked_at = now() where id = $1', [token_id]);
  const { isWhole, rows, lines } = await rest();
  expect(isWhole, lines).toBe(!revoked);
  if (revoked) expect(rows.length).toBeLessThan(many - 1_000);
  else expect(rows).toHaveLength(many);
});

test('who leaves the scope of the export between two parts is not in the file, seen or not', async () => {
  const { user_id } = await exporter();
  await give(user_id, await roleWith('Viewer of all', 'own', ['employees.view', 'employees.view_all']));
  // no filter by company, which would exclude them too
  const { rest } = await begunBy(user_id, '');
  await owner.query(
    `update employees set entity_id = $1, department_id = $2 where id in (
       select id from employees where entity_id = $3 order by last_name_sort desc, id desc limit 5)`,
    [there.entity_id, there.id, alpha.id],
  );
  const { isWhole, numbers, lines } = await rest();
  await owner.query(
    `update employees set entity_id = $1, department_id = $2 where entity_id = $3 and last_name like 'Many%'`,
    [alpha.id, buying.id, there.entity_id],
  );
  expect(isWhole, lines).toBe(true);
  expect(numbers.filter((number) => number.startsWith('M-'))).toHaveLength(many - 5);
});

test('companies that are taken away between two parts are not in the rest of the file', async () => {
  const { user_id } = await exporter();
  const { rest } = await begunBy(user_id);
  await owner.query('update role_assignments set entity_ids = $2 where user_id = $1', [user_id, [there.entity_id]]);
  const { numbers } = await rest();
  expect(numbers.length).toBeLessThan(many - 1_000);
});

test('it is of the moment at which it began, and recorded with the number of its rows', async () => {
  const { user_id } = await exporter();
  const { rest } = await begunBy(user_id);
  const late = await make.employee({ department_id: buying.id, employee_number: 'LATE', last_name: 'Zzz' });
  const { numbers } = await rest();
  await owner.query('delete from employees where id = $1', [late.id]);
  expect(numbers).not.toContain('LATE');
  const { rows } = await owner.query<{ changes: { rows: { to: number } } }>(
    `select changes from audit_log where action = 'export.created' and actor_id = $1`,
    [user_id],
  );
  expect(rows).toMatchObject([{ changes: { rows: { to: many } } }]);
});

test.each(['', '?format=xlsx'])(
  'a client that goes away leaves no connection and no transaction: %s',
  async (query) => {
    const { stream } = await begunBy((await exporter()).user_id, query);
    stream.destroy();
    expect(await leftBehind()).toEqual({ taken: 0, open: 0 });
  },
);

test('a client that does not read holds no connection', async () => {
  const { stream } = await begunBy((await exporter()).user_id);
  expect(await leftBehind()).toEqual({ taken: 0, open: 0 });
  stream.destroy();
});
