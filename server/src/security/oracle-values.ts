import type { PoolClient } from 'pg';
import type { TestApp } from '../testing/app.ts';
import type { plantCanaries, PlantedIds } from '../testing/canaries.ts';
import type { Reader } from '../testing/canary-readers.ts';
import { kpiMaker } from '../testing/make-kpi.ts';
import { probationMaker } from '../testing/make-probation.ts';
import { samples } from './oracle-questions.ts';

/** Rows in addition to the canaries, so that each hidden value has a row above and one below it in a list. */

export type Canaries = Awaited<ReturnType<typeof plantCanaries>>;
type Row = Readonly<Record<string, unknown>>;

/** Columns of a row, each with its two values. */
export type Part = {
  table: string;
  where: Row;
  values: Readonly<Record<string, readonly [first: unknown, second: unknown]>>;
};
export type Secret = {
  name: string;
  /** The readers who may know it. */
  seen: readonly Reader[];
  parts: readonly Part[];
  /** The address where the first of them reads it. */
  at: string;
};

/** Columns of the row with this id. */
export const held = (table: string, id: number | undefined, values: Part['values'], key = 'id'): Part => ({
  table,
  where: { [key]: id },
  values,
});
/** Both texts in each of these columns. */
export const inText = (...names: string[]): Part['values'] =>
  Object.fromEntries(names.map((name) => [name, samples.text]));
/** Both days in each of these columns. */
export const onDays = (...names: string[]): Part['values'] =>
  Object.fromEntries(names.map((name) => [name, samples.days]));

type Connection = Pick<PoolClient, 'query'>;

async function update(db: Connection, table: string, where: Row, values: Row): Promise<void> {
  const [names, keys] = [Object.keys(values), Object.keys(where)];
  const sets = names.map((name, index) => `${name} = $${index + 1}`).join(', ');
  const matches = keys.map((name, index) => `${name} = $${names.length + index + 1}`).join(' and ');
  const parameters = [...Object.values(values), ...Object.values(where)];
  const { rowCount } = await db.query(`update ${table} set ${sets} where ${matches}`, parameters);
  if (!rowCount) throw new Error(`no row of ${table} has ${JSON.stringify(where)}`);
}

/** Sets the first or second values of secrets in one transaction. */
export async function setSecrets(app: TestApp, secrets: readonly Secret[], which: 'first' | 'second'): Promise<void> {
  const client = await app.owner.connect();
  const place = which === 'first' ? 0 : 1;
  try {
    await client.query('begin');
    for (const { table, where, values } of secrets.flatMap(({ parts }) => parts)) {
      const chosen = Object.entries(values).map(([name, pair]) => [name, pair[place]]);
      await update(client, table, where, Object.fromEntries(chosen) as Row);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const idsOf = async ({ owner }: TestApp, text: string, values: unknown[] = []): Promise<number[]> =>
  (await owner.query<{ id: number }>(text, values)).rows.map(({ id }) => id);

async function plantEvaluations(app: TestApp, { people }: Canaries) {
  const kpi = kpiMaker(app);
  const template = await kpi.template({ name: 'Another template' });
  const make = async (employee: Canaries['people'][Reader], fields: Parameters<typeof kpi.evaluation>[0]) => {
    const { id: cycle_id } = await kpi.cycle({ name: `Cycle of ${JSON.stringify(fields)}`.slice(0, 150) });
    return (await kpi.evaluation({ employee, reviewer: people.manager, template, cycle_id, ...fields })).id;
  };
  await make(people.colleague, { status: 'hr_review', overall_score: 3, overall_percentage: 60 });
  return {
    cancelled: await make(people.self, { status: 'cancelled', cancelled_from: 'hr_review' }),
    // with two reviewers whose names have an order
    completed: await make(people.colleague, { status: 'completed', reviewer_id: people.head.id }),
  };
}

const insertActivity = (table: string, key: string) => `
  insert into ${table} (${key}, actor_name, action, from_status, to_status, reason, round)
  values ($1, 'Somebody', $2, $3, $4, 'x', 1) returning id`;

async function plantActivity(app: TestApp, canaries: Canaries) {
  const [, drafted = 0] = canaries.ids['kpi-evaluations'] ?? [];
  const [review = 0] = canaries.ids['probation-reviews'] ?? [];
  const returned = [drafted, 'return', 'hr_review', 'manager_review'];
  const sentBack = [review, 'send-back', 'submitted', 'sent_back'];
  const [ofEvaluation] = await idsOf(app, insertActivity('kpi_evaluation_activity', 'evaluation_id'), returned);
  const [ofReview] = await idsOf(app, insertActivity('probation_review_activity', 'review_id'), sentBack);
  return { ofEvaluation, ofReview };
}

const insertEntry = `
  insert into audit_log (at, actor_id, actor_name, action, subject_type, subject_id, subject_label, entity_id,
                         about_employee_id, changes)
  values (now() - interval '1 minute', $1, 'Somebody', $2, $3, $4, 'Somebody', $5, $6, '{}') returning id`;

/** Audit log entries about one person, each with a copy of another hidden value. */
async function plantEntries(app: TestApp, { people: { self, hr }, ids }: Canaries) {
  await app.owner.query('alter table audit_log disable trigger append_only');
  const entry = async (action: string, subject: number | undefined) => {
    const values = [hr.user_id, action, action.split('.')[0], subject, self.entity_id, self.id];
    const [id = 0] = await idsOf(app, insertEntry, values);
    return id;
  };
  return {
    job: await entry('employee.updated', self.id),
    leaving: await entry('employee.deactivated', self.id),
    evaluation: await entry('kpi_evaluation.return', ids['kpi-evaluations']?.[1]),
    review: await entry('probation_review.send-back', ids['probation-reviews']?.[0]),
    file: await entry('attachment.updated', ids['attachmentId']?.[0]),
    view: await entry('saved_view.created', ids['saved-views']?.[0]),
    import: await entry('import.started', ids['imports']?.[0]),
  };
}

/** The values of a colleague, whom every reader sees to the same extent as the person with the secrets. */
const between = {
  first_name: samples.middle,
  last_name: samples.middle,
  grade: samples.middle,
  nationality: samples.middle,
  phone: '5555555',
  joining_date: samples.between,
  probation_start_date: samples.between,
  probation_end_date: '2010-06-01',
  last_working_date: samples.between,
};

async function plantPeople(app: TestApp, { people, ids }: Canaries) {
  const { self, colleague, northHr, southerner } = people;
  const [, , leaver = 0] = ids['employees'] ?? [];
  await update(app.owner, 'employees', { id: colleague.id }, between);
  const shown = { display_name: 'Zqshown', probation_start_date: '1999-01-01' };
  await update(app.owner, 'employees', { id: self.id }, shown);
  await update(app.owner, 'employees', { id: people.manager.id }, { display_name: 'Zqreviewer' });
  await update(app.owner, 'employees', { id: people.head.id }, { last_name: samples.middle });
  // an HR person is on probation, and the reviewer has left
  await update(app.owner, 'employees', { id: northHr.id }, { employment_lifecycle: 'probationary' });
  await update(app.owner, 'employees', { id: leaver }, { activity_status: 'inactive' });
  const ownReview = await probationMaker(app).review({ employee_id: northHr.id, reviewer_id: leaver });
  return {
    leaver,
    ownReview: ownReview.id,
    southTwin: (await app.make.employee({ department_id: southerner.department_id })).id,
    roles: await idsOf(app, `select id from roles where name in ('Employee', 'TeamLead') order by name`),
  };
}

/** Plants the records of the secrets; `ids` are those of all records. */
export async function plantOracles(app: TestApp, canaries: Canaries) {
  const made = {
    ...(await plantEvaluations(app, canaries)),
    ...(await plantActivity(app, canaries)),
    ...(await plantPeople(app, canaries)),
    entries: await plantEntries(app, canaries),
  };
  const { people, ids: known } = canaries;
  const [inReview] = known['kpi-evaluations'] ?? [];
  const ids: PlantedIds = {
    ...known,
    'kpi-evaluations': [...(known['kpi-evaluations'] ?? []), made.cancelled, made.completed],
    'probation-reviews': [...(known['probation-reviews'] ?? []), made.ownReview],
    'audit-log': Object.values(made.entries),
    users: [people.self.user_id],
    roles: made.roles,
    items: await idsOf(app, 'select id from kpi_evaluation_items where evaluation_id = $1 order by id', [inReview]),
  };
  return { ...made, ids };
}
export type Planted = Awaited<ReturnType<typeof plantOracles>>;
