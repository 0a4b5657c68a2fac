import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { evaluationTesting } from '../../testing/evaluations.ts';
import { dayFromNow } from '../../testing/make-kpi.ts';
import { moveTesting } from '../../testing/moves.ts';

/** A move that HR has not decided is a task, and the preflight names it. */

const app = await startApp();
const { as, owner } = app;
const { rowOf } = evaluationTesting(app);
const { away, hr, everywhere, place, moved } = await moveTesting(app);

type Client = typeof hr;
const nameOf = async (id: number) => (await owner.query('select name from employees where id = $1', [id])).rows[0].name;
const tasksOf = async (client: Client, id: number) => {
  const { status, body } = await client.get('/api/actionable-items?kind=kpi_move&per_page=100');
  expect(status).toBe(200);
  return (body.data as { id: string }[]).filter((task) => task.id === `kpi_move:${id}`);
};
const warningsOf = async (client: Client, cycleId: number, departments?: number[]) => {
  const query = departments ? `?department_ids=${departments.join(',')}` : '';
  const { status, body } = await client.get(`/api/kpi-cycles/${cycleId}/preflight${query}`);
  expect(status).toBe(200);
  return (body.data.warnings as { code: string; message: string }[]).filter(({ code }) => code === 'move_undecided');
};

test('is a task of HR that decides, with a link to the participants, until it is decided', async () => {
  const { decide, cycle, person, id } = await moved();
  const before = await rowOf(id);
  expect(await tasksOf(hr, id)).toMatchObject([
    {
      id: `kpi_move:${id}`,
      title: `Decide on ${await nameOf(person.id)}’s evaluation after their move (${cycle.name})`,
      employee: { id: person.id },
      due_date: dayFromNow(7),
      priority: 'normal',
      url: `/kpi/cycles/${cycle.id}?tab=participants`,
      allowed_actions: ['decide'],
    },
  ]);
  const counts = await hr.get('/api/actionable-items/counts');
  const { body } = await hr.get('/api/actionable-items?kind=kpi_move&per_page=1');
  expect(counts.body.data.by_kind.kpi_move).toBe(body.meta.total);
  // the move itself does not change the evaluation
  expect(before).toMatchObject({ revision: 1 });
  expect((await decide('stay')).status).toBe(200);
  expect(await tasksOf(hr, id)).toEqual([]);
});

test('is a task again after another move, and none after a return, a switch, a departure or a submitted review', async () => {
  const back = await moved({ status: 'manager_review' });
  await back.decide('stay');
  const third = await place();
  const move = (department_id: number) => everywhere.put(`/api/employees/${back.person.id}`, { department_id });
  await move(third.id);
  expect(await tasksOf(hr, back.id)).toHaveLength(1);
  await move(back.from.id);
  expect(await tasksOf(hr, back.id)).toEqual([]);
  const switched = await moved();
  expect((await switched.decide('switch')).status).toBe(200);
  expect(await tasksOf(hr, switched.id)).toEqual([]);
  const gone = await moved();
  await owner.query("update employees set activity_status = 'inactive' where id = $1", [gone.person.id]);
  expect(await tasksOf(hr, gone.id)).toEqual([]);
  const closed = await moved();
  await owner.query("update kpi_cycles set status = 'closed' where id = $1", [closed.cycle.id]);
  expect(await tasksOf(hr, closed.id)).toEqual([]);
  const reviewed = await moved({ status: 'hr_review' });
  expect(await tasksOf(hr, reviewed.id)).toEqual([]);
  // after it is sent back, it can still be decided
  await owner.query("update kpi_evaluations set status = 'manager_review' where id = $1", [reviewed.id]);
  expect(await tasksOf(hr, reviewed.id)).toHaveLength(1);
});

test('is no task of people who may not decide', async () => {
  const { id, person, from, next } = await moved();
  for (const user of [person.user_id, from.head.user_id, next.head.user_id])
    expect(await tasksOf(await as(user), id)).toEqual([]);
  // the new company is outside the scope of HR of the former one
  const abroad = await moved({ to: await place(away.id) });
  expect(await tasksOf(hr, abroad.id)).toEqual([]);
  expect(await tasksOf(everywhere, abroad.id)).toHaveLength(1);
  const own = await moved();
  const { rows } = await owner.query("select id from roles where name = 'HR'");
  await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [
    own.person.user_id,
    rows[0].id,
  ]);
  expect(await tasksOf(await as(own.person.user_id), own.id)).toEqual([]);
  expect(await tasksOf(hr, own.id)).toHaveLength(1);
});

test('is a warning of the preflight of either department for HR that decides', async () => {
  const { cycle, person, from, next, decide } = await moved();
  const names = await owner.query('select name from departments where id = any($1) order by id', [[from.id, next.id]]);
  const [former, present] = (names.rows as { name: string }[]).map(({ name }) => name);
  const expected = {
    department_id: next.id,
    employee: { id: person.id },
    message: `${await nameOf(person.id)} moved from ${former} to ${present}. What happens to the evaluation isn’t decided yet.`,
  };
  expect(await warningsOf(hr, cycle.id)).toMatchObject([expected]);
  for (const id of [from.id, next.id]) expect(await warningsOf(hr, cycle.id, [id])).toMatchObject([expected]);
  const other = await place();
  await owner.query(
    'insert into kpi_cycle_departments (cycle_id, department_id, template_id) select cycle_id, $2, template_id from kpi_cycle_departments where department_id = $1',
    [from.id, other.id],
  );
  expect(await warningsOf(hr, cycle.id, [other.id])).toEqual([]);
  await decide('stay');
  expect(await warningsOf(hr, cycle.id)).toEqual([]);
});

test('does not name a new department beyond the reach of the publisher', async () => {
  const { cycle } = await moved({ to: await place(away.id) });
  expect(await warningsOf(hr, cycle.id)).toEqual([]);
  expect(await warningsOf(everywhere, cycle.id)).toHaveLength(1);
});
