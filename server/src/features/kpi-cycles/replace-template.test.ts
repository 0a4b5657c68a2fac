import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';

const testApp = await startApp();
const { as, make, owner } = testApp;
const kpi = kpiMaker(testApp);
const here = await make.entity();
const elsewhere = await make.entity();
const hrPerson = await make.employee({ entity_id: here.id, roles: [{ role: 'HR', entity_ids: [here.id] }] });
const hr = await as(hrPerson.user_id);
const otherHr = await as(
  (await make.employee({ entity_id: elsewhere.id, roles: [{ role: 'HR', entity_ids: [elsewhere.id] }] })).user_id,
);
const reason = 'The warehouse was published with the office template.';

/** A cycle published with the wrong template: two people have not started, one has a draft, one has submitted. */
async function wrong(fields: object = {}) {
  const head = await make.employee({ entity_id: here.id, roles: ['Manager'] });
  const department = await make.department({ entity_id: here.id, manager_id: head.id });
  const template = await kpi.template();
  const right = await kpi.template({ items: [{ name: 'Orders packed', weight: 10_000 }], scale_max: 4 });
  const cycle = await kpi.cycle({
    departments: [{ department_id: department.id, template_id: template.id, is_published: true }],
    ...fields,
  });
  const made = async (more: object = {}) => {
    const employee = await make.employee({ department_id: department.id });
    const evaluation = await kpi.evaluation({ cycle_id: cycle.id, employee, reviewer: head, template, ...more });
    return { ...evaluation, employee, client: await as(employee.user_id) };
  };
  const idle = [await made(), await made()];
  const drafted = await made();
  const saved = await drafted.client.put(`/api/kpi-evaluations/${drafted.id}`, { self_comment: 'Half done' });
  expect(saved.status).toBe(200);
  const submitted = await made({ status: 'manager_review' });
  const url = `/api/kpi-cycles/${cycle.id}/departments/${department.id}/replace-template`;
  return { cycle, department, head, template, right, idle, drafted, submitted, made, url };
}

type Row = { evaluation_id: number; outcome: string; reason: string | null; can_be_replaced: boolean };
const outcomes = ({ data }: { data: { evaluations: Row[] } }) =>
  Object.fromEntries(
    data.evaluations.map(({ evaluation_id, outcome, reason: why }) => [evaluation_id, [outcome, why]]),
  );
const stored = async (cycleId: number) =>
  (
    await owner.query(
      `select v.id::int, v.employee_id::int, v.reviewer_id::int, v.status, v.template_id::int, v.scale_max, v.due_on::text,
              array_agg(i.name order by i.sort_order) as items
       from kpi_evaluations v join kpi_evaluation_items i on i.evaluation_id = v.id
       where v.cycle_id = $1 group by v.id order by v.id`,
      [cycleId],
    )
  ).rows as Record<string, unknown>[];
const traces = async () =>
  (
    await owner.query(`
    select (select count(*) from kpi_evaluations) as evaluations, (select sum(revision) from kpi_evaluations) as revisions,
           (select count(*) from kpi_evaluation_items) as items, (select count(*) from kpi_evaluation_activity) as history,
           (select count(*) from notifications) as found, (select count(*) from audit_log where action like 'kpi_c%') as audit,
           (select sum(revision) from kpi_cycle_departments) as departments`)
  ).rows[0] as Record<string, string>;
const inboxOf = async (client: { get: typeof hr.get }) =>
  ((await client.get('/api/notifications')).body.data as { event: string; title: string }[]).map(
    ({ event, title }) => `${event}: ${title}`,
  );

test('people who have not begun get the new items, others keep theirs, as the dry run said', async () => {
  const { cycle, right, idle, drafted, submitted, department, url } = await wrong({ name: 'Q3 2026' });
  const before = await traces();
  const dry = await hr.post(url, { template_id: right.id, dry_run: true });
  expect(dry.status, JSON.stringify(dry.body)).toBe(200);
  expect(dry.body.data.counts).toEqual({ total: 4, replaced: 2, cancelled: 0, kept: 2 });
  expect(outcomes(dry.body)).toEqual({
    [drafted.id]: ['kept', 'Already started.'],
    [submitted.id]: ['kept', 'Already started.'],
    ...Object.fromEntries(idle.map(({ id }) => [id, ['replaced', null]])),
  });
  // evaluations that need a decision come first
  expect(dry.body.data.evaluations.map(({ can_be_replaced: open }: Row) => open)).toEqual([true, true, false, false]);
  expect(await traces()).toEqual(before);
  const real = await hr.post(url, { template_id: right.id, plan_hash: dry.body.data.plan_hash });
  expect([real.status, real.body.message]).toEqual([200, 'Template replaced: 2 evaluations replaced, 2 kept.']);
  expect({ ...real.body.data, dry_run: true }).toEqual(dry.body.data);
  expect(
    (await stored(cycle.id)).map(({ id, status, template_id, scale_max, items }) => [
      id,
      status,
      template_id,
      scale_max,
      items,
    ]),
  ).toEqual([
    ...idle.map(({ id }) => [id, 'self_assessment', right.id, 4, ['Orders packed']]),
    [drafted.id, 'self_assessment', drafted.template_id, 5, drafted.items.map(({ name }) => name)],
    [submitted.id, 'manager_review', submitted.template_id, 5, submitted.items.map(({ name }) => name)],
  ]);
  const notified = 'kpi_evaluation_assigned: Your Q3 2026 evaluation has a new template';
  expect(await Promise.all([...idle, drafted, submitted].map(({ client }) => inboxOf(client)))).toEqual([
    [notified],
    [notified],
    [],
    [],
  ]);
  const history = (await hr.get(`/api/kpi-evaluations/${idle[0]?.id}/activity`)).body.data;
  expect(history).toMatchObject([{ action: 'replace-template', from: 'self_assessment', to: 'self_assessment' }]);
  const { body: board } = await hr.get(`/api/kpi-cycles/${cycle.id}/departments`);
  expect(board.data).toMatchObject([{ template: { id: right.id }, allowed_actions: ['replace-template'] }]);
  const { rows: audit } = await owner.query(
    `select entity_id::int, changes from audit_log where action = 'kpi_cycle.template_replaced' and subject_id = $1`,
    [cycle.id],
  );
  expect(audit).toEqual([
    {
      entity_id: here.id,
      changes: {
        department: { from: null, to: department.name },
        template_id: { from: drafted.template_id, to: right.id },
        replaced: { from: null, to: 2 },
        cancelled: { from: null, to: 0 },
        kept: { from: null, to: 2 },
      },
    },
  ]);
});

test('a begun evaluation that is ticked is cancelled, stays readable, and the person begins anew', async () => {
  const { cycle, head, right, submitted, drafted, url } = await wrong();
  const asked = { template_id: right.id, evaluation_ids: [submitted.id] };
  const dry = await hr.post(url, { ...asked, dry_run: true });
  expect(dry.body.data.counts).toEqual({ total: 4, replaced: 2, cancelled: 1, kept: 1 });
  const before = await traces();
  const unsaid = await hr.post(url, asked);
  expect([unsaid.status, Object.keys(unsaid.body.errors)]).toEqual([422, ['reason']]);
  expect(await traces()).toEqual(before);
  const real = await hr.post(url, { ...asked, reason, plan_hash: dry.body.data.plan_hash });
  expect(real.status, JSON.stringify(real.body)).toBe(200);
  expect({ ...real.body.data, dry_run: true }).toEqual(dry.body.data);
  const own = (await stored(cycle.id)).filter(({ employee_id: id }) => id === submitted.employee_id);
  expect(own).toMatchObject([
    { id: submitted.id, status: 'cancelled', items: submitted.items.map(({ name }) => name) },
    { status: 'self_assessment', template_id: right.id, reviewer_id: head.id, items: ['Orders packed'] },
  ]);
  const earlier = (await hr.get(`/api/kpi-evaluations/${submitted.id}`)).body.data;
  expect(earlier).toMatchObject({ cancel_reason: reason, self_comment: 'Good quarter.' });
  expect(earlier.allowed_actions).not.toContain('restore');
  expect((await inboxOf(submitted.client)).map((line) => line.split(':')[0])).toEqual(['kpi_evaluation_assigned']);
  expect((await inboxOf(await as(head.user_id))).map((line) => line.split(':')[0])).toEqual([
    'kpi_evaluation_cancelled',
  ]);
  expect((await drafted.client.get(`/api/kpi-evaluations/${drafted.id}`)).body.data.self_comment).toBe('Half done');
});

test('what was not begun in the review after a skipped self-assessment is replaced too, with time to do it', async () => {
  const { made, right, cycle, url } = await wrong({ min_days: 5 });
  await owner.query(
    `update kpi_cycles set self_assessment_closes_on = current_date - 2, manager_review_closes_on = current_date - 1
     where id = $1`,
    [cycle.id],
  );
  const skipped = await made({
    status: 'manager_review',
    self_skipped: true,
    self_submitted_at: null,
    self_comment: null,
  });
  await owner.query('update kpi_evaluation_items set self_score = null where evaluation_id = $1', [skipped.id]);
  expect((await hr.post(url, { template_id: right.id })).body.data.counts.replaced).toBe(3);
  const rows = (await stored(cycle.id)).filter(({ template_id: id }) => id === right.id);
  expect(rows.map(({ status, due_on }) => [status, due_on])).toEqual([
    ['self_assessment', dayFromNow(5)],
    ['self_assessment', dayFromNow(5)],
    ['manager_review', dayFromNow(5)],
  ]);
});

test('a template of a person’s own and a completed evaluation are kept', async () => {
  const { made, right, url } = await wrong();
  const special = await made({ template: await kpi.template() });
  const completed = await made({ status: 'completed' });
  const dry = await hr.post(url, { template_id: right.id, evaluation_ids: [completed.id], dry_run: true });
  expect(outcomes(dry.body)).toMatchObject({
    [special.id]: ['kept', 'Has its own template.'],
    [completed.id]: ['kept', 'This evaluation is completed.'],
  });
  const ticked = await hr.post(url, { template_id: right.id, evaluation_ids: [special.id] });
  expect(outcomes(ticked.body)[special.id]).toEqual(['replaced', null]);
});

test('a template that was mended after publishing reaches those who have not begun', async () => {
  const { template, cycle, idle, url } = await wrong();
  const same = await hr.post(url, { template_id: template.id });
  expect([same.status, same.body.errors]).toEqual([
    422,
    { template_id: ['The department already uses this template.'] },
  ]);
  await owner.query('update kpi_templates set version = version + 1 where id = $1', [template.id]);
  await owner.query(`update kpi_template_items set name = 'Punctual orders' where id = $1`, [template.items[0]?.id]);
  expect((await hr.post(url, { template_id: template.id })).body.data.counts.replaced).toBe(2);
  const rows = (await stored(cycle.id)).filter(({ items }) => (items as string[]).includes('Punctual orders'));
  expect(rows.map(({ id }) => id)).toEqual(idle.map(({ id }) => id));
});

test('a template below the full result is warned of', async () => {
  const { url } = await wrong();
  const low = await kpi.template({
    items: [
      {
        name: 'Calls',
        weight: 10_000,
        item_type: 'measured',
        direction: 'higher_better',
        target_value: 10,
        cap_pct: 100,
      },
    ],
  });
  const { body } = await hr.post(url, { template_id: low.id, dry_run: true });
  expect(body.data.warnings).toEqual([expect.stringContaining('the highest possible result is')]);
});

test('bad input is refused and changes nothing', async () => {
  const { right, url, cycle, department, idle } = await wrong();
  const foreign = await kpi.template({ entity_id: elsewhere.id });
  const archived = await kpi.template({ status: 'archived' });
  const stranger = await kpi.evaluation();
  const before = await traces();
  for (const [body, field] of [
    [{}, 'template_id'],
    [{ template_id: foreign.id }, 'template_id'],
    [{ template_id: archived.id }, 'template_id'],
    [{ template_id: 9_999_999 }, 'template_id'],
    [{ template_id: right.id, evaluation_ids: [stranger.id] }, 'evaluation_ids'],
    [{ template_id: right.id, evaluation_ids: Array.from({ length: 501 }, (_, n) => n + 1) }, 'evaluation_ids'],
    [{ template_id: right.id, plan_hash: 'another' }, 'status'],
  ] as const) {
    const answer = await hr.post(url, body);
    expect([answer.status, Object.keys(answer.body.errors)], JSON.stringify(answer.body)).toEqual([422, [field]]);
  }
  await owner.query('update kpi_cycle_departments set is_published = false where cycle_id = $1', [cycle.id]);
  expect((await hr.post(url, { template_id: right.id })).body.message).toBe(
    `${department.name} is not published in this cycle.`,
  );
  await owner.query('update kpi_cycle_departments set is_published = true where cycle_id = $1', [cycle.id]);
  await owner.query('update kpi_cycles set publishing_processed = 0, publishing_total = 9 where id = $1', [cycle.id]);
  expect((await hr.post(url, { template_id: right.id })).body.message).toBe('This cycle is being published.');
  await owner.query(
    `update kpi_cycles set publishing_processed = null, publishing_total = null, status = 'closed' where id = $1`,
    [cycle.id],
  );
  expect((await hr.post(url, { template_id: right.id })).body.message).toBe('A closed cycle can’t be changed.');
  expect(await traces()).toMatchObject({ ...before, departments: expect.any(String) });
  expect((await stored(cycle.id))[0]).toMatchObject({ id: idle[0]?.id, template_id: idle[0]?.template_id });
});

test('only who publishes for the company of the department replaces its template', async () => {
  const { right, url, submitted, cycle } = await wrong();
  const before = await traces();
  expect((await otherHr.post(url, { template_id: right.id })).status).toBe(404);
  const admin = await as((await make.admin()).user_id);
  const holder = async (name: string, permissions: string[]) => {
    expect((await admin.post('/api/roles', { name, scope: 'all', permissions })).status).toBe(201);
    return as((await make.employee({ entity_id: here.id, roles: [{ role: name, entity_ids: [here.id] }] })).user_id);
  };
  const limited = await holder('Planner', ['kpi-cycle.view', 'kpi-cycle.update']);
  const without = await holder('Publisher', ['kpi-cycle.view', 'kpi-cycle.publish', 'kpi-template.view']);
  const ticked = { template_id: right.id, evaluation_ids: [submitted.id], reason };
  expect((await without.post(url, ticked)).status).toBe(403);
  expect(await traces()).toEqual(before);
  const { body } = await limited.get(`/api/kpi-cycles/${cycle.id}/departments`);
  expect(body.data[0].allowed_actions).toEqual([]);
});

test('HR does not cancel the own begun evaluation', async () => {
  const { cycle, department, template, head, right, url } = await wrong();
  const own = await kpi.evaluation({
    cycle_id: cycle.id,
    employee: hrPerson,
    reviewer: head,
    template,
    department_id: department.id,
    status: 'hr_review',
  });
  const { body } = await hr.post(url, { template_id: right.id, evaluation_ids: [own.id], reason });
  expect(outcomes(body)[own.id]).toEqual(['kept', 'You can’t cancel your own evaluation.']);
});

test('of a submission and a replacement at the same moment one wins, whole', async () => {
  const { right, idle, url } = await wrong();
  for (const { id, items, client } of idle) {
    const [submitted] = await Promise.all([
      client.post(`/api/kpi-evaluations/${id}/self-assessment`, {
        items: items.map((item) => ({ id: item.id, self_score: 4 })),
      }),
      hr.post(url, { template_id: right.id }),
    ]);
    const [row] = (
      await owner.query(
        `select v.status, v.template_id::int, count(*)::int as items, count(i.self_score)::int as scores
       from kpi_evaluations v join kpi_evaluation_items i on i.evaluation_id = v.id where v.id = $1 group by v.id`,
        [id],
      )
    ).rows as Record<string, unknown>[];
    expect([200, 422]).toContain(submitted.status);
    expect(row).toEqual(
      submitted.status === 200
        ? { status: 'manager_review', template_id: idle[0]?.template_id, items: 3, scores: 3 }
        : { status: 'self_assessment', template_id: right.id, items: 1, scores: 0 },
    );
  }
});

test('publishing and replacing at the same moment leave each person one evaluation of one template', async () => {
  const { cycle, department, right, url } = await wrong();
  const late = await make.employee({ department_id: department.id });
  await Promise.all([hr.post(`/api/kpi-cycles/${cycle.id}/publish`, {}), hr.post(url, { template_id: right.id })]);
  const rows = await stored(cycle.id);
  expect(rows.filter(({ employee_id: id }) => id === late.id)).toMatchObject([
    { template_id: right.id, items: ['Orders packed'] },
  ]);
});
