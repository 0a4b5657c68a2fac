import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '../db/connect.ts';
import { canonical, contentOf, hashOf } from '../features/probation-reviews/content.ts';
import type { Content, Signable, SignatureRole } from '../features/probation-reviews/content.ts';
import { signablesOf } from '../features/probation-reviews/signatures.ts';

/** What must always be true of probation reviews; each query finds violations. */
export const probationRules: Record<string, RawBuilder<unknown>> = {
  'a person has two open probation reviews': sql`
    select employee_id from probation_reviews where status in ('pending', 'submitted', 'sent_back')
    group by employee_id, milestone having count(*) > 1`,
  'a probation was decided twice': sql`
    select employee_id, probation_end_date from probation_reviews where status = 'approved' and milestone = 'final'
    group by 1, 2
    having count(*) > 1`,
  'somebody who left has an open probation review': sql`
    select v.id from probation_reviews v join employees e on e.id = v.employee_id
    where v.status in ('pending', 'submitted', 'sent_back') and e.employment_lifecycle <> 'probationary'`,
  'an open probation review is about another end than that of the person': sql`
    select v.id, v.probation_end_date, e.probation_end_date from probation_reviews v join employees e on e.id = v.employee_id
    where v.status in ('pending', 'submitted', 'sent_back') and v.milestone = 'final'
      and v.probation_end_date is distinct from e.probation_end_date`,
  'an open probation review stands elsewhere than the person': sql`
    select v.id from probation_reviews v join employees e on e.id = v.employee_id
    where v.status in ('pending', 'submitted', 'sent_back')
      and (v.entity_id, v.department_id) is distinct from (e.entity_id, e.department_id)`,
  'somebody reviews the own probation': sql`select id from probation_reviews where reviewer_id = employee_id`,
  'a probation was decided without the signature of HR': sql`
    select v.id from probation_reviews v where v.status = 'approved' and v.milestone = 'final' and not exists (
      select from probation_signatures s where s.review_id = v.id and s.role = 'hr' and s.round = v.round and s.valid)`,
  'a signature of a former round counts': sql`
    select s.id from probation_signatures s join probation_reviews v on v.id = s.review_id
    where s.valid and s.round <> v.round`,
  'a probation review stands elsewhere than its trail says': sql`
    select v.id, v.status, a.to_status from probation_reviews v left join lateral (
      select to_status from probation_review_activity where review_id = v.id order by at desc, id desc limit 1) as a on true
    where a.to_status is distinct from v.status`,
  'a person was extended otherwise than by reviews and by hand': sql`
    select e.id, e.extension_count from employees e
    where e.extension_count <> (select count(*) from probation_reviews v
                                where v.employee_id = e.id and v.status = 'approved' and v.outcome = 'extend')
                             + (select count(*) from audit_log a where a.action = 'employee.probation_extended'
                                and a.subject_type = 'employee' and a.subject_id = e.id)
      and not exists (select from job_history h where h.employee_id = e.id and h.rehired_after is not null)`,
  'a list of probation reviews has another name than the person': sql`
    select v.id from probation_reviews v join employees e on e.id = v.employee_id where v.person_sort <> fold(e.name)`,
  'a probation review does not know that nobody can write it': sql`
    select v.id from probation_reviews v left join employees r on r.id = v.reviewer_id
    where v.status in ('pending', 'sent_back')
      and (v.reviewer_missing_since is null)
          <> coalesce(r.activity_status = 'active' and r.deleted_at is null, false)`,
  'a review before it is none before': sql`
    select v.id from probation_reviews v join probation_reviews b on b.id = v.previous_review_id
    where b.employee_id <> v.employee_id or b.sequence >= v.sequence`,
};

type Signature = {
  id: number;
  review_id: number;
  role: SignatureRole;
  content: Content;
  content_hash: string;
  valid: boolean;
};

const batch = 2_000;

async function signaturesAfter(db: Db, id: number): Promise<Signature[]> {
  const { rows } = await sql<Signature>`
    select id, review_id, role, content, content_hash, valid from probation_signatures where id > ${id}
    order by id limit ${batch}`.execute(db);
  return rows;
}

function errorOf({ id, role, content, content_hash, valid }: Signature, review: Signable | undefined): string[] {
  if (hashOf(content) !== content_hash) return [`signature ${id} has another hash than its content`];
  const stands = review && canonical(contentOf(review, role)) === canonical(content);
  return valid && !stands ? [`signature ${id} counts though something else is stored`] : [];
}

/** Signatures whose hash differs from what was signed, or that count although something else is stored. */
export async function signatureErrors(db: Db): Promise<string[]> {
  const faults: string[] = [];
  let rows = await signaturesAfter(db, 0);
  while (rows.length > 0) {
    const ids = rows.map(({ review_id }) => review_id);
    const reviews = new Map((await signablesOf(db, ids)).map((review) => [review.id, review]));
    for (const signature of rows) faults.push(...errorOf(signature, reviews.get(signature.review_id)));
    rows = await signaturesAfter(db, rows.at(-1)?.id ?? 0);
  }
  return faults;
}
