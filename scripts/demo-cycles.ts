import type { EvaluationStatus } from '@tenure/contract';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { DB } from '../server/src/db/schema.ts';
import { ableReviewers, headsOf, linesOf, teamsOf, withReviewers } from '../server/src/people/reviewers.ts';
import { evaluationOf } from './demo-evaluation.ts';
import type { DemoTemplate } from './demo-answers.ts';
import type { Written } from './demo-evaluation.ts';
import type { DemoRound, DemoSubject } from './demo-statuses.ts';
import { insertDemoNotifications } from './demo-notifications.ts';

/** The demo's KPI rounds: a year's completed ones, and a running one. The same people give the same rounds. */

type Db = Transaction<DB>;
type Templates = ReadonlyMap<string, number>;
type Id = { id: number };
type Owner = { id: number; user_id: number; name: string };

/** Departments by the measures of their people; all others are shared services. */
const measuredBy: Readonly<Record<string, readonly string[]>> = {
  Sales: ['SAL', 'CUS', 'SHH', 'SBE', 'SMU'],
  Engineering: ['ENG', 'PRD', 'SEC'],
  Operations: ['OPS', 'WAR', 'FLT', 'QUA', 'MNT', 'CST'],
};

/** The quarter this many before the current one: its name, first and last day. */
function quarter(today: Temporal.PlainDate, before: number) {
  const start = today.with({ month: today.month - ((today.month - 1) % 3), day: 1 }).subtract({ months: 3 * before });
  const end = start.add({ months: 3 }).subtract({ days: 1 });
  return { name: `Q${Math.ceil(start.month / 3)} ${start.year}`, start, end };
}

type Round = DemoRound & { id: number };

async function insertCycle(db: Db, round: DemoRound, hr: Owner): Promise<Round> {
  const { name, start, end, published, isClosed } = round;
  const { id } = await db
    .insertInto('kpi_cycles')
    .values({
      name,
      type: 'quarterly',
      description: 'Goals and results of the quarter in all companies.',
      start_date: start.toString(),
      end_date: end.toString(),
      self_assessment_opens_on: published.toString(),
      self_assessment_closes_on: round.selfCloses.toString(),
      manager_review_opens_on: published.toString(),
      manager_review_closes_on: round.managerCloses.toString(),
      min_service_days: 30,
      band_caps: JSON.stringify({ a: 20, b: 40, c: 30, d: 10 }),
      status: isClosed ? 'closed' : 'published',
      owner_id: hr.id,
      created_by: hr.user_id,
      created_by_name: hr.name,
      published_at: `${published.toString()}T08:00:00Z`,
      closed_at: isClosed ? `${round.managerCloses.add({ days: 21 }).toString()}T15:00:00Z` : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...round, id };
}

async function takePart(db: Db, round: Round, templates: Templates, hr: Owner) {
  const choices = Object.entries(measuredBy).flatMap(([name, codes]) =>
    codes.map((code) => ({ code, template_id: templates.get(name) })),
  );
  await sql`
    insert into kpi_cycle_departments (cycle_id, department_id, template_id, is_published, published_at, published_by,
                                       published_by_name)
    select ${round.id}, d.id, coalesce(c.template_id, ${templates.get('Shared services')}::bigint), true,
           ${`${round.published.toString()}T08:00:00Z`}::timestamptz, ${hr.user_id}, ${hr.name}
    from departments d
    left join jsonb_to_recordset(${JSON.stringify(choices)}::jsonb) as c (code text, template_id bigint)
      on c.code = d.code`.execute(db);
}

async function templatesOf(db: Db): Promise<ReadonlyMap<number, DemoTemplate>> {
  const rows = await db.selectFrom('kpi_templates').select(['id', 'name', 'version', 'scale_words']).execute();
  const items = await db.selectFrom('kpi_template_items').selectAll().orderBy('sort_order').execute();
  return new Map(
    rows.map((row) => [
      row.id,
      { ...row, items: items.filter((item) => item.template_id === row.id) as unknown as DemoTemplate['items'] },
    ]),
  );
}

const planned = { members: 'members', heads: 'heads', teams: 'teams' };

/** The participants, with reviewers as publishing would choose them. */
async function subjectsOf(db: Db, round: Round): Promise<DemoSubject[]> {
  const { rows } = await sql<DemoSubject>`
    with heads as materialized (select d.id, ${headsOf} as ids from departments d),
         members as materialized (select * from employees), teams as materialized (${teamsOf(planned)}),
         able as materialized (${ableReviewers(planned)}), lines as materialized (${linesOf(planned)})
    select e.id, e.user_id, e.name, fold(e.name) as sort, e.entity_id, e.department_id, e.job_title, r.template_id, e.reviewer_id,
           v.user_id as reviewer_user_id, v.name as reviewer_name, row_number() over (order by e.id)::int as n,
           (count(*) filter (where e.user_id is null) over (order by e.id))::int as nth_by_hand
    from (${withReviewers(planned, { able: 'able', lines: 'lines' })}) as e
    join kpi_cycle_departments r on r.cycle_id = ${round.id} and r.department_id = e.department_id
    left join employees v on v.id = e.reviewer_id
    where e.activity_status = 'active' and e.employment_lifecycle = 'confirmed' and e.deleted_at is null
      and e.joining_date <= ${round.start.toString()}::date
    order by e.id`.execute(db);
  return rows;
}

/** One statement for each table, whatever the number of evaluations. */
async function write(db: Db, written: readonly Written[]): Promise<void> {
  const evaluations = await db
    .insertInto('kpi_evaluations')
    .values(written.map(({ evaluation }) => evaluation))
    .returning('id')
    .execute();
  const idOf = (index: number) => evaluations[index]?.id ?? 0;
  await db
    .insertInto('kpi_evaluation_items')
    .values(written.flatMap(({ items }, index) => items.map((item) => ({ ...item, evaluation_id: idOf(index) }))))
    .execute();
  await db
    .insertInto('kpi_evaluation_activity')
    .values(written.flatMap(({ activity }, index) => activity.map((row) => ({ ...row, evaluation_id: idOf(index) }))))
    .execute();
}

const stayed = sql`
  insert into kpi_stage_days
  select v.cycle_id, v.entity_id, s.status, round(extract(epoch from s.until - s.since) / 86400, 1), count(*)
  from kpi_evaluations v
  cross join lateral (values ('self_assessment', v.created_at, v.self_submitted_at),
    ('manager_review', v.self_submitted_at, v.manager_submitted_at),
    ('hr_review', v.manager_submitted_at, v.hr_submitted_at),
    ('pending_acceptance', v.hr_submitted_at, v.responded_at)) as s (status, since, until)
  where s.until > s.since
  group by 1, 2, 3, 4`;

// the files for goals that require evidence
const evidence = sql`
  insert into kpi_evidence (evaluation_id, item_id, stage, note, uploaded_by, uploaded_by_name, created_at)
  select v.id, i.id, 'self', 'Signed list in the folder of the department, page ' || 1 + v.id % 9, e.user_id, e.name,
         v.self_submitted_at - interval '2 hours'
  from kpi_evaluation_items i
  join kpi_evaluations v on v.id = i.evaluation_id and v.self_submitted_at is not null
  join employees e on e.id = v.employee_id
  where i.evidence_required`;

function roundsOf(today: Temporal.PlainDate): DemoRound[] {
  const over = [4, 3, 2].map((before) => quarter(today, before));
  const running = quarter(today, 1);
  return [
    ...over.map((round) => ({
      ...round,
      published: round.end.add({ days: 1 }),
      selfCloses: round.end.add({ days: 14 }),
      managerCloses: round.end.add({ days: 28 }),
      isClosed: true,
      today,
    })),
    {
      ...running,
      published: today.subtract({ days: 14 }),
      selfCloses: today.add({ days: 3 }),
      managerCloses: today.add({ days: 14 }),
      isClosed: false,
      today,
    },
  ];
}

/** Adds the completed rounds of a year and a running one, which HR owns. */
export async function insertDemoCycles(
  db: Db,
  today: Temporal.PlainDate,
  { ids, hr: owner, lead, employee }: { ids: Templates; hr: Omit<Owner, 'name'>; lead: Id; employee: Id },
): Promise<void> {
  const { name } = await db.selectFrom('employees').select('name').where('id', '=', owner.id).executeTakeFirstOrThrow();
  const hr = { ...owner, name: name ?? 'HR' };
  const templates = await templatesOf(db);
  // the manager reviews the lead
  const tasks = new Map<number, EvaluationStatus>([
    [employee.id, 'self_assessment'],
    [lead.id, 'manager_review'],
  ]);
  for (const plan of roundsOf(today)) {
    const round = await insertCycle(db, plan, hr);
    await takePart(db, round, ids, hr);
    const written = (await subjectsOf(db, round)).map((subject) =>
      evaluationOf(round, subject, templates.get(subject.template_id) as DemoTemplate, {
        hr,
        status: tasks.get(subject.id),
      }),
    );
    await write(db, written);
    if (!plan.isClosed) await insertDemoNotifications(db, round);
  }
  for (const statement of [evidence, stayed]) await statement.execute(db);
  await sql`select fold_kpi_evaluation_counts()`.execute(db);
}
