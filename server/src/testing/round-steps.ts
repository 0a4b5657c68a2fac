import { expect } from 'vitest';
import { acceptLapsedResults, skipSelfAssessments } from '../features/kpi-evaluations/scheduled-steps.ts';
import { remindDue } from '../features/kpi-evaluations/reminders.ts';
import type { TestApp } from './app.ts';
import type { Answer, Client } from './client.ts';
import { dayFromNow } from './make-kpi.ts';
import type { MadeEmployee } from './make.ts';

/** The vocabulary of a KPI round's table: what people do, as requests, and what the clock starts. */

export type Scene = {
  app: TestApp;
  people: ReadonlyMap<string, MadeEmployee>;
  clients: ReadonlyMap<string, Client>;
  departments: ReadonlyMap<string, number>;
  templates: Map<string, number>;
  cycles: Map<string, number>;
};

/** Who acts, about whom, and the rest of the row. */
type Call = { scene: Scene; who: string; client: Client; about: string; words: string[] };
type Verb = (call: Call) => Promise<void>;

const reason = 'Because it was decided so.';
const words = { comment: 'As it was.', resolution: 'We looked at it together again.' };

/** Every item of a template as the table knows it; the second figure is what a seller's first item takes. */
const item = (name: string, weight: number) => ({ name, weight });
const measured = {
  ...item('Days to answer', 50),
  item_type: 'measured',
  direction: 'lower_better',
  target_value: 10,
  unit: 'days',
};
const itemsOf: Record<string, object[]> = {
  Buyers: [item('Savings', 40), item('Lead time', 30), item('Teamwork', 30)],
  Sellers: [measured, item('Customers', 50)],
  Office: [item('Quality', 60), item('Teamwork', 40)],
};

function ok({ status, body }: Answer, wanted = 200) {
  expect(status, JSON.stringify(body)).toBe(wanted);
  return body.data as { id: number };
}
const refused = ({ status, body }: Answer) => expect([status, Object.keys(body.errors)]).toEqual([422, ['status']]);

const id = (map: ReadonlyMap<string, number>, name: string) => map.get(name) ?? expect.fail(`no ${name}`);
const employee = ({ people }: Scene, name: string) => people.get(name) ?? expect.fail(`no ${name}`);

async function evaluationId({ app, cycles, people }: Scene, name: string): Promise<number> {
  const { rows } = await app.owner.query<{ id: number }>(
    'select id::int from kpi_evaluations where employee_id = $1 and cycle_id = $2',
    [people.get(name)?.id, cycles.get('Q1')],
  );
  return rows[0]?.id ?? expect.fail(`no evaluation of ${name}`);
}

/** Scores in the order of the items; a measured item gets the actual value. */
async function answers({ scene, about, words: figures }: Call, side: 'self' | 'manager') {
  const { rows } = await scene.app.owner.query<{ id: number; item_type: string }>(
    'select id::int, item_type from kpi_evaluation_items where evaluation_id = $1 order by sort_order, id',
    [await evaluationId(scene, about)],
  );
  return rows.flatMap((row, index) => {
    const figure = figures[index];
    if (figure === undefined) return [];
    return [{ id: row.id, [`${side}_${row.item_type === 'measured' ? 'actual_value' : 'score'}`]: Number(figure) }];
  });
}

const evaluation = (path: string, body: (call: Call) => object | Promise<object> = () => ({})): Verb =>
  async function step(call) {
    const url = `/api/kpi-evaluations/${await evaluationId(call.scene, call.about)}/${path}`;
    ok(await call.client.post(url, await body(call)));
  };
const because = () => ({ reason });

const cycle = ({ scene }: Call, path = '') => `/api/kpi-cycles/${id(scene.cycles, 'Q1')}${path}`;
const changeCycle =
  (body: () => object): Verb =>
  async (call) => {
    ok(await call.client.put(cycle(call), body()));
  };

const makeTemplate =
  (status: string): Verb =>
  async ({ scene, client, about }) => {
    const made = ok(await client.post('/api/kpi-templates', { name: about, status, items: itemsOf[about] }), 201);
    scene.templates.set(about, made.id);
  };
const templateVerb =
  (path: string): Verb =>
  async ({ scene, client, about }) => {
    ok(await client.post(`/api/kpi-templates/${id(scene.templates, about)}/${path}`));
  };

/** Lets days pass for the companies by moving everything recorded into the past. */
async function daysPass({ app }: Scene, days: number) {
  await app.owner.query(
    `update kpi_cycles set start_date = start_date - $1::int, end_date = end_date - $1::int,
    self_assessment_opens_on = self_assessment_opens_on - $1::int, manager_review_opens_on = manager_review_opens_on - $1::int,
    self_assessment_closes_on = self_assessment_closes_on - $1::int,
    manager_review_closes_on = manager_review_closes_on - $1::int`,
    [days],
  );
  await app.owner.query(
    `update kpi_evaluations set stage_open_until = stage_open_until - $1::int,
    acceptance_due_on = acceptance_due_on - $1::int, status_changed_at = status_changed_at - make_interval(days => $1),
    self_submitted_at = self_submitted_at - make_interval(days => $1),
    manager_submitted_at = manager_submitted_at - make_interval(days => $1),
    hr_submitted_at = hr_submitted_at - make_interval(days => $1),
    responded_at = responded_at - make_interval(days => $1)`,
    [days],
  );
  await app.owner.query('update notifications set created_at = created_at - make_interval(days => $1)', [days]);
  await app.owner.query(
    `update notifications set dedupe_key = left(dedupe_key, -10) || (right(dedupe_key, 10)::date - $1::int)
     where event = 'kpi_deadline_reminder'`,
    [days],
  );
}

/** Nine o'clock this morning, in the test companies' time zone. */
const now = () => Temporal.Now.plainDateISO('UTC').toZonedDateTime({ timeZone: 'UTC', plainTime: '09:00' }).toInstant();
const job =
  (run: (ctx: { deps: Scene['app']['deps']; now: Temporal.Instant }) => Promise<unknown>): Verb =>
  async ({ scene }) => {
    await run({ deps: scene.app.deps, now: now() });
  };

const plan = {
  start_date: dayFromNow(-100),
  end_date: dayFromNow(-1),
  manager_weight_pct: 80,
  self_weight_pct: 20,
};

export const verbs: Readonly<Record<string, Verb>> = {
  'make template': makeTemplate('active'),
  'draft template': makeTemplate('draft'),
  duplicate: async ({ scene, client, about, words: [name = ''] }) => {
    const url = `/api/kpi-templates/${id(scene.templates, about)}/duplicate`;
    scene.templates.set(name, ok(await client.post(url, { name }), 201).id);
  },
  'change items': async ({ scene, client, about }) => {
    ok(await client.put(`/api/kpi-templates/${id(scene.templates, about)}`, { items: itemsOf[about] }));
  },
  activate: templateVerb('activate'),
  archive: templateVerb('archive'),
  'delete template': async ({ scene, client, about }) => {
    expect((await client.delete(`/api/kpi-templates/${id(scene.templates, about)}`)).status).toBe(204);
  },
  'make cycle': async ({ scene, client, about }) => {
    scene.cycles.set(about, ok(await client.post('/api/kpi-cycles', { name: about, ...plan }), 201).id);
  },
  'delete cycle': async ({ scene, client, about }) => {
    expect((await client.delete(`/api/kpi-cycles/${id(scene.cycles, about)}`)).status).toBe(204);
  },
  assign: async (call) => {
    const {
      scene,
      client,
      about,
      words: [template = ''],
    } = call;
    const url = cycle(call, `/departments/${id(scene.departments, about)}`);
    ok(await client.put(url, { template_id: id(scene.templates, template) }));
  },
  remove: async (call) => {
    const url = cycle(call, `/departments/${id(call.scene.departments, call.about)}`);
    expect((await call.client.delete(url)).status).toBe(204);
  },
  'set windows': changeCycle(() => ({
    self_assessment_opens_on: dayFromNow(-3),
    self_assessment_closes_on: dayFromNow(5),
    manager_review_opens_on: dayFromNow(-3),
    manager_review_closes_on: dayFromNow(30),
  })),
  'end self window': changeCycle(() => ({ self_assessment_closes_on: dayFromNow(-1) })),
  'skip by clock': changeCycle(() => ({ auto_skip_self: true })),
  'accept by clock': changeCycle(() => ({ auto_accept: true })),
  /** to create, excluded, blockers */
  preflight: async (call) => {
    const { to_create, excluded_count, blockers } = (await call.client.get(cycle(call, '/preflight'))).body.data;
    expect([to_create, excluded_count, blockers.length].map(String)).toEqual([call.about, ...call.words]);
  },
  'publish refused': async (call) => refused(await call.client.post(cycle(call, '/publish'))),
  publish: async (call) => void ok(await call.client.post(cycle(call, '/publish'), { allow_missing_reviewer: true })),
  confirm: async ({ scene, client, about }) => {
    const body = { confirmation_date: dayFromNow(0), reason };
    ok(await client.post(`/api/employees/${employee(scene, about).id}/confirm`, body));
  },
  remind: async (call) => void ok(await call.client.post(cycle(call, '/remind'), { stage: call.about })),
  'close refused': async (call) => refused(await call.client.post(cycle(call, '/close'))),
  'close by force': async (call) => void ok(await call.client.post(cycle(call, '/close'), { force: true, reason })),
  'close cycle': async (call) => void ok(await call.client.post(cycle(call, '/close'))),
  'reopen cycle': async (call) => void ok(await call.client.post(cycle(call, '/reopen'), { reason })),
  'days pass': ({ scene, about }) => daysPass(scene, Number(about)),
  'skip-self-assessments': job(skipSelfAssessments),
  'accept-lapsed': job(acceptLapsedResults),
  reminders: job(remindDue),

  'draft-self': async (call) => {
    const url = `/api/kpi-evaluations/${await evaluationId(call.scene, call.about)}`;
    ok(await call.client.put(url, { items: await answers(call, 'self') }));
  },
  'draft-review': async (call) => {
    const url = `/api/kpi-evaluations/${await evaluationId(call.scene, call.about)}`;
    ok(await call.client.put(url, { items: await answers(call, 'manager') }));
  },
  'draft-hr': async (call) => {
    const url = `/api/kpi-evaluations/${await evaluationId(call.scene, call.about)}`;
    ok(await call.client.put(url, { hr_comment: words.comment }));
  },
  'self-assessment': evaluation('self-assessment', async (call) => ({ items: await answers(call, 'self') })),
  'manager-review': evaluation('manager-review', async (call) => ({ items: await answers(call, 'manager') })),
  'hr-review': evaluation('hr-review', ({ words: [performance_flag] }) => ({
    hr_comment: words.comment,
    performance_flag,
  })),
  'extension-request': evaluation('extension-request', because),
  'extension-decision': evaluation('extension-decision', ({ words: [decision, days] }) => ({
    decision,
    ...(days && { until: dayFromNow(Number(days)) }),
  })),
  'skip-self-assessment': evaluation('skip-self-assessment', because),
  return: evaluation('return', ({ words: [days] }) => ({ reason, ...(days && { until: dayFromNow(Number(days)) }) })),
  accept: evaluation('accept'),
  dispute: evaluation('dispute', because),
  'deem-accepted': evaluation('deem-accepted', because),
  'resolve-dispute': evaluation('resolve-dispute', async (call) => {
    const [result, score] = call.words;
    const [first] = await answers({ ...call, words: ['1'] }, 'self');
    const items = [{ id: first?.id, final_score: Number(score), final_note: words.comment }];
    return { result, resolution: words.resolution, ...(score && { items }) };
  }),
  close: evaluation('close'),
  'force-close': evaluation('force-close', because),
  cancel: evaluation('cancel', because),
  restore: evaluation('restore', because),
  reopen: evaluation('reopen', because),
  reviewer: async ({ scene, client, about, words: [name = ''] }) => {
    const url = `/api/kpi-evaluations/${await evaluationId(scene, about)}/reviewer`;
    ok(await client.put(url, { reviewer_id: employee(scene, name).id, reason }));
  },
};

/** Steps for a whole group at once. */
export const groupVerbs: Readonly<Record<string, (call: Omit<Call, 'about'> & { group: string[] }) => Promise<void>>> =
  {
    'bulk-close': async ({ scene, client, group }) => {
      const evaluation_ids = await Promise.all(group.map((name) => evaluationId(scene, name)));
      const { body } = await client.post('/api/kpi-evaluations/bulk-close', { evaluation_ids });
      expect(body.data).toEqual({
        closed: expect.toSatisfy((closed: number[]) => closed.length === group.length),
        refused: [],
      });
    },
  };
