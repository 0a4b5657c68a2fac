import type pg from 'pg';
import { contentOf, hashOf } from '../server/src/features/probation-reviews/content.ts';
import type { Signable, SignatureRole } from '../server/src/features/probation-reviews/content.ts';

/**
 * Probation reviews for seeded people: open ones in every state for those whose probation ends within two months, some
 * of them without a reviewer or overdue, and a decided one with its signatures for every third of those who passed.
 */
export async function seedProbation(pool: pg.Pool): Promise<{ open: number; decided: number }> {
  const client = await pool.connect();
  try {
    await client.query("begin; set local work_mem = '256MB'");
    await client.query(overdue);
    const { rowCount: open } = await client.query(openReviews);
    const { rowCount: decided } = await client.query(decidedReviews);
    await client.query(activity);
    await sign(client, 'manager');
    await sign(client, 'hr');
    await client.query('select fold_probation_review_counts()');
    await client.query('select prune_offboarding_candidates($1), prune_probation_review_candidates($1)', [everyone]);
    await client.query('commit');
    await client.query('vacuum analyze');
    return { open: open ?? 0, decided: decided ?? 0 };
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const everyone = 1_000_000_000;
const signaturesAtOnce = 50_000;

const overdue = `
  update employees set probation_end_date = current_date - 3
  where employee_number like 'S-%' and employment_lifecycle = 'probationary' and activity_status = 'active'
    and id % 25 = 3`;

const people = `
  select e.*, e.id % 10 as n, coalesce(e.reporting_manager_id, nullif(d.manager_id, e.id)) as manager_id
  from employees e join departments d on d.id = e.department_id
  where e.employee_number like 'S-%' and e.deleted_at is null and e.activity_status = 'active'`;

const openReviews = `
  with people as (${people} and e.employment_lifecycle = 'probationary' and e.probation_end_date <= current_date + 60
                  and e.id % 40 <> 7)
  insert into probation_reviews (employee_id, entity_id, department_id, probation_start_date, probation_end_date,
    reviewer_id, reviewer_missing_since, due_date, status, status_changed_at, round, performance_rating, strengths, comments,
    recommendation, extension_months, submitted_at, send_back_reason, person_sort)
  select id, entity_id, department_id, probation_start_date, probation_end_date,
    case when id % 30 <> 1 then manager_id end,
    case when id % 30 = 1 or manager_id is null then now() - interval '5 days' end,
    probation_end_date - 7, (array['pending', 'submitted', 'sent_back'])[1 + s.stage], now() - make_interval(days => (id % 9)::int),
    case when s.stage = 2 then 2 else 1 end,
    case when s.stage > 0 then 2 + (id % 4)::int end, case when s.stage > 0 then 'Learns fast and asks the right questions.' end,
    case when s.stage > 0 then 'Found the way into the team.' end,
    case when s.stage > 0 then case when id % 7 = 0 then 'extend' else 'confirm' end end,
    case when s.stage > 0 and id % 7 = 0 then 2 end, case when s.stage > 0 then now() - make_interval(days => (id % 9)::int) end,
    case when s.stage = 2 then 'Please say more about the goals.' end, fold(name)
  from people, lateral (select case when id % 30 = 1 or n < 5 then 0 when n < 9 then 1 else 2 end as stage) as s`;

const decidedReviews = `
  with people as (${people} and e.employment_lifecycle = 'confirmed' and e.id % 3 = 0 and e.joining_date < current_date - 120)
  insert into probation_reviews (employee_id, entity_id, department_id, probation_start_date, probation_end_date, reviewer_id,
    due_date, status, status_changed_at, performance_rating, strengths, comments, recommendation, submitted_at, outcome,
    effective_date, decided_at, decided_by_name, employee_acknowledged_at, person_sort, created_at)
  select id, entity_id, department_id, joining_date, joining_date + 90, manager_id, joining_date + 83, 'approved',
    joining_date + 89, 3 + (id % 3)::int, 'Reliable from the first week on.', 'Recommended without reserve.', 'confirm',
    joining_date + 85, 'confirm', joining_date + 91, joining_date + 89, 'HR', joining_date + 92, fold(name), joining_date + 60
  from people`;

const activity = `
  insert into probation_review_activity (review_id, at, actor_name, action, from_status, to_status, round)
  select id, created_at, 'System', 'create', null::text, 'pending', 1 from probation_reviews
  union all
  select id, greatest(status_changed_at, created_at), 'System', 'move', 'pending', status, round from probation_reviews
  where status <> 'pending'`;

const reviewOf: Record<SignatureRole, string> = {
  manager: `status in ('submitted', 'approved')`,
  hr: `status = 'approved'`,
  employee: 'false',
};

/** Everyone who submitted or decided has signed what is stored. */
async function sign(client: pg.PoolClient, role: SignatureRole): Promise<void> {
  const { rows } = await client.query<Signable>(
    `select id::int, employee_id::int, probation_start_date::text, probation_end_date::text, milestone, round,
       performance_rating, criteria, criteria_score::float, strengths, improvements, comments, recommendation,
       extension_months, outcome, outcome_extension_months, effective_date::text, hr_comments from probation_reviews where ${reviewOf[role]}`,
  );
  const signatures = rows.map((review) => {
    const content = contentOf(review, role);
    return { review_id: review.id, round: review.round, content, content_hash: hashOf(content) };
  });
  // a PostgreSQL JSON document has a size limit
  for (let from = 0; from < signatures.length; from += signaturesAtOnce)
    await writeSignatures(client, role, signatures.slice(from, from + signaturesAtOnce));
}

async function writeSignatures(client: pg.PoolClient, role: SignatureRole, signatures: unknown[]): Promise<void> {
  await client.query(
    `insert into probation_signatures (review_id, role, signer_name, method, typed_name, content, content_hash, round, signed_at)
     select s.review_id, $2, $3, 'typed', $3, s.content, s.content_hash, s.round,
            case when $2 = 'manager' then v.submitted_at else v.decided_at end
     from jsonb_to_recordset($1::jsonb) as s (review_id bigint, round int, content jsonb, content_hash text)
     join probation_reviews v on v.id = s.review_id`,
    [JSON.stringify(signatures), role, role === 'hr' ? 'Human Resources' : 'The Reviewer'],
  );
}
