import type { PoolClient } from 'pg';
import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import { waitingLocks } from '../../../testing/waiting-locks.ts';

/** Two simultaneous requests for one display name: the second sees the name that the first wrote. */

const { as, make, owner } = await startApp();
const acme = await make.entity({ code: 'ACME' });
const crew = await make.department({ entity_id: acme.id, name: 'Crew' });
const job = { entity_id: acme.id, department_id: crew.id };
const hr = await as((await make.employee({ ...job, roles: [{ role: 'HR', entity_ids: [acme.id] }] })).user_id);
const reason = 'Back from a long leave';
const refused = { display_name: ['The display name has already been taken.'] };

const waiting = async () => (await waitingLocks(owner)).length;

/** Runs the work while another transaction is open. */
async function beside(statement: string, work: (connection: PoolClient) => Promise<void>): Promise<void> {
  const connection = await owner.connect();
  try {
    await connection.query('begin');
    await connection.query(statement);
    await work(connection);
  } finally {
    await connection.query('rollback');
    connection.release();
  }
}

let made = 0;
const address = () => `new${(made += 1)}@acme.example`;
const shownBy = async (name: string) =>
  (
    await owner.query(
      "select from employees where display_name = $1 and activity_status = 'active' and deleted_at is null",
      [name],
    )
  ).rowCount;

test('of two simultaneous forms with one display name the second is refused', async () => {
  const [ida, bo] = [await make.employee(job), await make.employee(job)];
  await beside('lock table audit_log in exclusive mode', async (connection) => {
    // both wrote the person before either one commits
    const answers = [ida, bo].map(({ id }) => hr.put(`/api/employees/${id}`, { display_name: 'Skipper' }));
    await expect.poll(waiting, { interval: 10 }).toBe(2);
    await connection.query('rollback');
    const [first, second] = (await Promise.all(answers)).toSorted((a, b) => a.status - b.status);
    expect([first?.status, second?.status, second?.body.errors]).toEqual([200, 422, refused]);
  });
  expect(await shownBy('Skipper')).toBe(1);
});

/** Ways to set a display name; each returns null or the errors. */
const ways: [string, (name: string) => Promise<unknown>][] = [
  [
    'a change',
    async (display_name) => {
      const { id } = await make.employee(job);
      return (await hr.put(`/api/employees/${id}`, { display_name })).body.errors;
    },
  ],
  [
    'a new person',
    async (display_name) =>
      (
        await hr.post('/api/employees', {
          ...job,
          first_name: 'Ida',
          last_name: 'Quill',
          email: address(),
          display_name,
        })
      ).body.errors,
  ],
  [
    'an own profile',
    async (display_name) => {
      const self = await as((await make.employee(job)).user_id);
      return (await self.put('/api/profile', { display_name })).body.errors;
    },
  ],
  [
    'a row of a file',
    async (display_name) => {
      const content = `first_name,last_name,display_name,email,entity,department\nIda,Quill,${display_name},${address()},ACME,Crew`;
      const upload = await hr.upload(
        '/api/employees/import',
        { name: `${display_name}.csv`, content },
        { mode: 'partial' },
      );
      return (await hr.get(`/api/employees/imports/${upload.body.data.id}/rows`)).body.data[0].errors;
    },
  ],
  [
    'a reactivation',
    async (display_name) => {
      const { id } = await make.employee({ ...job, display_name, activity_status: 'inactive' });
      return (await hr.post(`/api/employees/${id}/reactivate`, { reason })).body.errors;
    },
  ],
  [
    'a reactivation of many',
    async (display_name) => {
      const { id } = await make.employee({ ...job, display_name, activity_status: 'inactive' });
      return (await hr.post('/api/employees/bulk', { kind: 'reactivate', ids: [id], reason })).body.data.rows[0].errors;
    },
  ],
  [
    'a restored record',
    async (display_name) => {
      const { id } = await make.employee({ ...job, display_name, deleted_at: '2026-01-01T00:00:00Z' });
      return (await hr.post(`/api/employees/${id}/restore`, { reason })).body.errors;
    },
  ],
  [
    'a new employment',
    async (display_name) => {
      const gone = { employment_lifecycle: 'resigned', last_working_date: '2026-01-01', activity_status: 'inactive' };
      const { id } = await make.employee({ ...job, ...gone, display_name });
      return (await hr.post(`/api/employees/${id}/rehire`, { joining_date: '2026-02-01' })).body.errors;
    },
  ],
];

test.each(ways)('%s waits for a simultaneous request for the same name', async (way, comeTo) => {
  const name = `Name of ${way}`;
  const other = await make.employee(job);
  await beside(
    `update employees set display_name = '${name.toUpperCase()}' where id = ${other.id}`,
    async (connection) => {
      const errors = comeTo(name);
      await expect.poll(waiting, { interval: 10 }).toBe(1);
      await connection.query('commit');
      expect(await errors).toEqual(refused);
    },
  );
  expect(await shownBy(name)).toBe(0);
});

test('two people of different names do not wait for each other', async () => {
  const [ida, bo] = [await make.employee(job), await make.employee(job)];
  await beside(`update employees set display_name = 'Bosun' where id = ${bo.id}`, async () => {
    expect((await hr.put(`/api/employees/${ida.id}`, { display_name: 'Purser' })).status).toBe(200);
    expect((await hr.put(`/api/employees/${ida.id}`, { display_name: null })).status).toBe(200);
  });
});

test('two bulk reactivations lock their names in one order', async () => {
  const away = async (display_name: string) =>
    (await make.employee({ ...job, display_name, activity_status: 'inactive' })).id;
  const [first, second] = [
    [await away('Alpha'), await away('Beta')],
    [await away('BETA'), await away('ALPHA')],
  ];
  await beside('lock table audit_log in exclusive mode', async (connection) => {
    const answers = [first, second].map((ids) => hr.post('/api/employees/bulk', { kind: 'reactivate', ids, reason }));
    // one has written the first person, the other no one
    await expect.poll(() => waitingLocks(owner), { interval: 10 }).toEqual(['advisory', 'relation']);
    await connection.query('rollback');
    const counts = (await Promise.all(answers)).map(({ body }) => body.data.counts.changed);
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 2]);
  });
});
