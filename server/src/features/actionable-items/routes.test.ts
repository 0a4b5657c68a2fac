import { text } from '@tenure/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import type { MadeEmployee } from '../../testing/make.ts';

const { as, make, deps, owner } = await startApp();
const kpi = kpiMaker({ deps, make });
const acme = await make.entity({ name: 'Acme Foods' });
const department = await make.department({ entity_id: acme.id });
const template = await kpi.template();
const cycle = await kpi.cycle({ name: 'Q1 2026', end_date: dayFromNow(0) });
const inAcme = { department_id: department.id };
const person = (name: string, more: Parameters<typeof make.employee>[0] = {}) =>
  make.employee({ ...inAcme, first_name: name, last_name: 'Reed', ...more });
const omar = await person('Omar', { roles: ['Manager'] });
const jon = await person('Jon', { reporting_manager_id: omar.id });
const hana = await person('Hana', { roles: ['HR'] });
const outsider = await make.employee();
const otherHr = await make.employee({ roles: [{ role: 'HR', entity_ids: [outsider.entity_id] }] });

type Item = {
  id: string;
  kind: string;
  title: string;
  description: string | null;
  priority: string;
  due_date: string | null;
  allowed_actions: string[];
};
type Who = { user_id: number };
const listOf = async ({ user_id }: Who, query = '', headers = {}) => {
  const answer = await (await as(user_id)).get(`/api/actionable-items${query}`, headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as { data: Item[]; meta: { total: number } };
};
const itemsOf = async (who: Who, query = '', headers = {}) => (await listOf(who, query, headers)).data;
const idsOf = async (who: Who, query = '') => (await itemsOf(who, query)).map(({ id }) => id);
const countsOf = async ({ user_id }: Who) =>
  (await (await as(user_id)).get('/api/actionable-items/counts')).body.data as {
    total: number;
    overdue: number;
    by_kind: Record<string, number>;
  };
type Fields = NonNullable<Parameters<typeof kpi.evaluation>[0]>;
const evaluate = (fields: Fields = {}) =>
  kpi.evaluation({ cycle_id: cycle.id, template, employee: jon, reviewer: omar, ...fields });
const change = (id: number, set: string) => owner.query(`update kpi_evaluations set ${set} where id = $1`, [id]);

beforeEach(() =>
  owner.query(`delete from kpi_evaluations; delete from job_history; delete from kpi_cycles where id <> ${cycle.id}`),
);

type Case = [kind: string, fields: Fields, assignee: MadeEmployee, due: string, actions: string[]];
const today = dayFromNow(0);
const pending = { extension_status: 'pending', extension_requested_at: new Date().toISOString() } as const;
const cases: Case[] = [
  ['kpi_self_assessment', { status: 'self_assessment' }, jon, dayFromNow(5), ['update', 'self-assessment']],
  ['kpi_manager_review', { status: 'manager_review' }, omar, dayFromNow(15), ['update', 'manager-review', 'return']],
  ['kpi_hr_review', { status: 'hr_review' }, hana, dayFromNow(22), ['update', 'hr-review', 'return']],
  ['kpi_acceptance', { status: 'pending_acceptance' }, jon, dayFromNow(4), ['accept', 'dispute']],
  [
    'kpi_record_answer',
    { status: 'pending_acceptance', person_signs_in: false },
    omar,
    dayFromNow(4),
    ['record-answer'],
  ],
  ['kpi_dispute', { status: 'disputed' }, hana, dayFromNow(5), ['resolve-dispute']],
  ['kpi_close', { status: 'accepted' }, hana, dayFromNow(14), ['close']],
  ['kpi_extension_decision', pending, hana, dayFromNow(2), ['extension-decision']],
  ['kpi_missing_reviewer', { status: 'manager_review', reviewer_id: null }, hana, today, ['reviewer']],
];

describe('an evaluation', () => {
  test.each(cases)('is a task %s of its assignee only', async (kind, fields, assignee, due, actions) => {
    const missing = fields.reviewer_id === null && { reviewer_missing_since: new Date().toISOString() };
    const { id } = await evaluate({ ...fields, ...missing });
    for (const who of [jon, omar, hana, outsider, otherHr]) {
      const items = (await itemsOf(who)).filter((item) => item.kind === kind);
      const expected = { id: `${kind}:${id}`, due_date: due, allowed_actions: actions, url: `/kpi/evaluations/${id}` };
      expect(items).toMatchObject(who === assignee ? [expected] : []);
      expect((await countsOf(who)).by_kind[kind] ?? 0).toBe(items.length);
    }
  });

  test('names its subject', async () => {
    const { id } = await evaluate({ status: 'hr_review' });
    expect(await itemsOf(hana)).toEqual([
      {
        id: `kpi_hr_review:${id}`,
        kind: 'kpi_hr_review',
        title: 'Check Jon Reed’s review for Q1 2026',
        description: 'Release the result or send the review back.',
        subject: { type: 'kpi_evaluation', id },
        employee: { id: jon.id, employee_number: jon.employee_number, name: 'Jon Reed' },
        acting_for: null,
        due_date: dayFromNow(22),
        priority: 'normal',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
        url: `/kpi/evaluations/${id}`,
        allowed_actions: ['update', 'hr-review', 'return'],
      },
    ]);
    const [item] = await itemsOf(hana, '', { 'accept-language': 'de' });
    expect(item?.title).toBe('Beurteilung von Jon Reed für Q1 2026 prüfen');
  });

  test('is read alone by its assignee while it waits', async () => {
    const { id } = await evaluate({ status: 'hr_review' });
    const key = `kpi_hr_review:${id}`;
    const [listed] = await itemsOf(hana);
    const single = async (who: Who, item = key) => (await as(who.user_id)).get(`/api/actionable-items/${item}`);
    const answer = await single(hana);
    expect([answer.status, answer.body.data]).toEqual([200, listed]);
    expect((await single(hana, encodeURIComponent(key))).status).toBe(200);
    for (const who of [jon, omar, outsider, otherHr]) expect((await single(who)).status).toBe(404);
    for (const other of [`kpi_dispute:${id}`, `kpi_hr_review:${id + 1}`, 'kpi_hr_review:0', `${id}`, 'nothing:1'])
      expect((await single(hana, other)).status).toBe(404);
    await change(id, "status = 'completed'");
    expect((await single(hana)).status).toBe(404);
  });

  test.each(['completed', 'cancelled'] as const)('that is %s is no task', async (status) => {
    await evaluate({ status, ...pending, reviewer_id: null, reviewer_missing_since: new Date().toISOString() });
    for (const who of [jon, omar, hana]) expect(await idsOf(who)).toEqual([]);
  });

  test('offers its subject an extension after the due day', async () => {
    const late = await kpi.cycle({ self_assessment_closes_on: dayFromNow(-1) });
    await evaluate({ cycle_id: late.id });
    expect(await itemsOf(jon)).toMatchObject([{ allowed_actions: ['extension-request'], priority: 'overdue' }]);
  });

  const over = dayFromNow(-1);
  test.each([
    ['self_assessment', jon, { self_assessment_closes_on: over }],
    ['manager_review', omar, { self_assessment_closes_on: over, manager_review_closes_on: over }],
  ] as const)('is a task of HR alone while more time for the %s is asked for', async (status, who, days) => {
    const { id } = await evaluate({
      status,
      cycle_id: (await kpi.cycle(days)).id,
    });
    const asked = await (
      await as(who.user_id)
    ).post(`/api/kpi-evaluations/${id}/extension-request`, { reason: 'The figures come late.' });
    expect([asked.status, await idsOf(who), await idsOf(hana)]).toEqual([200, [], [`kpi_extension_decision:${id}`]]);
    const decision = { decision: 'approved', until: dayFromNow(3), note: null };
    await (await as(hana.user_id)).post(`/api/kpi-evaluations/${id}/extension-decision`, decision);
    expect([await idsOf(who), await idsOf(hana)]).toEqual([[`kpi_${status}:${id}`], []]);
  });

  test.each([
    ['self_assessment', jon, { self_assessment_closes_on: over }, ['skip-self-assessment', 'reviewer']],
    [
      'manager_review',
      omar,
      { self_assessment_closes_on: over, manager_review_closes_on: over },
      ['reviewer', 'manager-review'],
    ],
  ] as const)('is a task of HR alone once more time for the %s is refused', async (status, who, days, actions) => {
    const { id } = await evaluate({ status, cycle_id: (await kpi.cycle(days)).id });
    const [asking, deciding] = [await as(who.user_id), await as(hana.user_id)];
    for (const tasks of [[`kpi_${status}:${id}`], [`kpi_${status}:${id}`], []]) {
      await asking.post(`/api/kpi-evaluations/${id}/extension-request`, { reason: 'The figures come late.' });
      const refusal = { decision: 'rejected', until: null, note: 'There is no time left.' };
      const refused = await deciding.post(`/api/kpi-evaluations/${id}/extension-decision`, refusal);
      expect([refused.status, await idsOf(who)]).toEqual([200, tasks]);
    }
    expect(await itemsOf(hana)).toMatchObject([{ id: `kpi_time_over:${id}`, allowed_actions: actions }]);
    await change(id, `stage_open_until = '${dayFromNow(2)}'`);
    expect([await idsOf(who), await idsOf(hana)]).toEqual([[`kpi_${status}:${id}`], []]);
    // the third extension has expired
    await change(id, `extension_status = 'approved', stage_open_until = '${over}'`);
    expect([await idsOf(who), await idsOf(hana)]).toEqual([[], [`kpi_time_over:${id}`]]);
  });

  test('lacks a reviewer while there is none or an inactive one, and until another person reviews', async () => {
    const { id } = await evaluate();
    expect(await idsOf(hana)).toEqual([]);
    const set = (status: string) =>
      owner.query('update employees set activity_status = $1 where id = $2', [status, omar.id]);
    await set('inactive');
    expect(await idsOf(hana)).toEqual([`kpi_missing_reviewer:${id}`]);
    await set('active');
    expect(await idsOf(hana)).toEqual([]);
  });

  test('whose day has passed in its own company is overdue there', async () => {
    // on Kiritimati it is already tomorrow from 10 o'clock UTC on
    const [early, late] = [
      await make.department({ entity_id: (await make.entity({ timezone: 'Pacific/Kiritimati' })).id }),
      await make.department({ entity_id: (await make.entity({ timezone: 'Etc/GMT+12' })).id }),
    ];
    const dueOn = Temporal.Now.plainDateISO('Pacific/Kiritimati').subtract({ days: 1 }).toString();
    const open = { status: 'pending_acceptance', acceptance_due_on: dueOn } as const;
    const [first, second] = [
      await make.employee({ department_id: early.id }),
      await make.employee({ department_id: late.id }),
    ];
    await evaluate({ employee: first, ...open });
    await evaluate({ employee: second, ...open });
    expect(await itemsOf(first)).toMatchObject([{ priority: 'overdue' }]);
    expect(await itemsOf(second)).toMatchObject([{ priority: 'due_soon' }]);
  });
});

describe('a cycle', () => {
  const over = (fields: Parameters<typeof kpi.cycle>[0] = {}) => kpi.cycle({ name: 'Q4 2025', ...fields });

  test('is a task of its owner when it is over and has no open evaluation', async () => {
    const { id } = await over({ owner_id: hana.id });
    const { id: evaluationId } = await evaluate({ cycle_id: id, status: 'accepted' });
    expect((await countsOf(hana)).by_kind).toEqual({ kpi_close: 1 });
    await change(evaluationId, "status = 'completed'");
    expect(await itemsOf(hana, '?kind=kpi_cycle_to_close')).toMatchObject([
      {
        id: `kpi_cycle_to_close:${id}`,
        title: 'Close Q4 2025',
        employee: null,
        due_date: dayFromNow(4),
        url: `/kpi/cycles/${id}`,
        allowed_actions: ['close'],
      },
    ]);
    await owner.query('update kpi_cycles set end_date = $1 where id = $2', [today, id]);
    expect(await idsOf(hana, '?kind=kpi_cycle_to_close')).not.toContain(`kpi_cycle_to_close:${id}`);
    await owner.query("update kpi_cycles set end_date = $1, status = 'closed' where id = $2", [dayFromNow(-1), id]);
    expect(await idsOf(hana, '?kind=kpi_cycle_to_close')).not.toContain(`kpi_cycle_to_close:${id}`);
  });

  test('is a task of HR when it has no active owner; one of all companies is a task of HR of all companies', async () => {
    const hers = await person('Hugo', { roles: ['HR'] });
    const local = await person('Lia', { roles: [{ role: 'HR', entity_ids: [acme.id] }] });
    const [owned, none, ofAcme] = [
      await over({ name: 'Owned', owner_id: hers.id }),
      await over({ name: 'Nobody' }),
      await over({ name: 'Acme', entity_id: acme.id }),
    ];
    const keys = (...cycles: { id: number }[]) => cycles.map(({ id }) => `kpi_cycle_to_close:${id}`);
    const closing = async (who: Who) =>
      (await idsOf(who, '?kind=kpi_cycle_to_close&sort_by=kind')).filter((id) => !keys(cycle).includes(id));
    expect(await closing(hana)).toEqual(keys(none, ofAcme));
    expect(await closing(hers)).toEqual(keys(owned, none, ofAcme));
    expect(await closing(local)).toEqual(keys(ofAcme));
    expect(await closing(otherHr)).toEqual([]);
    await owner.query("update employees set activity_status = 'inactive' where id = any($1)", [[hers.id, local.id]]);
    expect(await closing(hana)).toEqual(keys(owned, none, ofAcme));
  });
});

describe('people', () => {
  test('who leave are a task of HR while they are responsible for others', async () => {
    const leaver = await person('Lena', {
      employment_lifecycle: 'resigned',
      last_working_date: dayFromNow(2),
    });
    expect(await idsOf(hana)).not.toContain(`employee_offboarding:${leaver.id}`);
    await owner.query('update employees set reporting_manager_id = $1 where id = $2', [leaver.id, outsider.id]);
    const [item] = await itemsOf(hana, '?kind=employee_offboarding');
    expect(item).toMatchObject({
      id: `employee_offboarding:${leaver.id}`,
      title: 'Reassign Lena Reed’s responsibilities',
      url: `/employees/${leaver.id}/offboarding`,
      due_date: dayFromNow(2),
      priority: 'due_soon',
      allowed_actions: ['reassign'],
    });
    expect(await idsOf(otherHr)).toEqual([]);
    await owner.query('update employees set reporting_manager_id = null where id = $1', [outsider.id]);
    await evaluate({ reviewer: leaver, status: 'manager_review' });
    expect((await countsOf(hana)).by_kind).toMatchObject({ employee_offboarding: 1 });
    await owner.query("update employees set employment_lifecycle = 'confirmed' where id = $1", [leaver.id]);
    expect((await countsOf(hana)).by_kind['employee_offboarding']).toBeUndefined();
  });

  test('who leave are no task of HR who may hand over nothing of them', async () => {
    const leaver = await person('Lars', { employment_lifecycle: 'resigned', last_working_date: dayFromNow(2) });
    const acmeHr = await person('Ada', { roles: [{ role: 'HR', entity_ids: [acme.id] }] });
    const away = { entity_id: outsider.entity_id, department_id: outsider.department_id };
    const id = `employee_offboarding:${leaver.id}`;
    const expectTask = async (isTask: boolean) => {
      expect((await idsOf(hana)).includes(id)).toBe(true);
      expect((await idsOf(acmeHr)).includes(id)).toBe(isTask);
    };
    await owner.query('update employees set reporting_manager_id = $1 where id = $2', [leaver.id, outsider.id]);
    await expectTask(false);
    await kpi.evaluation({ reviewer: leaver, employee: await make.employee(away), status: 'manager_review' });
    await make.department({ entity_id: outsider.entity_id, manager_id: leaver.id });
    await kpi.cycle({ owner_id: leaver.id, entity_id: outsider.entity_id });
    await expectTask(false);
    await make.department({ entity_id: acme.id, team_lead_id: leaver.id });
    await expectTask(true);
    await owner.query("update employees set employment_lifecycle = 'confirmed', reporting_manager_id = null");
  });

  test('with a failed job change are a task of HR with the reason, until it is cancelled', async () => {
    const { rows } = await owner.query<{ id: number }>(
      `insert into job_history (employee_id, effective_from, status, changed_fields, entity_id, department_id,
         employment_type, employment_lifecycle, failure, created_by_name)
       values ($1, $2, 'failed', '{job_title}', $3, $4, 'full_time', 'confirmed', $5, 'Hana')
       returning id::int`,
      [jon.id, dayFromNow(-1), acme.id, department.id, JSON.stringify(text('job_history.person_has_left'))],
    );
    const id = `job_change_failed:${rows[0]?.id}`;
    expect(await itemsOf(hana)).toMatchObject([
      { id, description: 'The person has left.', priority: 'overdue', url: `/employees/${jon.id}?tab=history` },
    ]);
    const [german] = await itemsOf(hana, '', { 'accept-language': 'de' });
    expect(german?.description).toBe('Die Person ist ausgeschieden.');
    for (const who of [jon, omar, otherHr]) expect(await idsOf(who)).toEqual([]);
    await owner.query("update job_history set status = 'cancelled'");
    expect(await idsOf(hana)).toEqual([]);
  });
});
