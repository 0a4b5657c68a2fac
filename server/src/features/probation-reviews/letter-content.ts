import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { contentOf, hashOf, referenceOf } from './content.ts';
import type { Signable, SignatureRole, StoredCriterion } from './content.ts';
import { signableOf } from './signatures.ts';

/** The values of a letter about a review, besides its texts. */
export type LetterContent = Omit<Signable, 'criteria'> & {
  criteria: StoredCriterion[] | null;
  sequence: number;
  review_date: string | null;
  status: string;
  employee_comment: string | null;
  employee_acknowledged_at: string | null;
  person_signs_in: boolean;
  talked_on: string | null;
  acknowledgement_recorded_by_name: string | null;
  decided_at: string;
  decided_by_name: string | null;
  reverted_at: string | null;
  revert_reason: string | null;
  new_probation_end_date: string | null;
  person_name: string;
  person_number: string;
  /** That of the day of the decision. */
  job_title: string | null;
  company: string;
  company_address: string | null;
  country: string | null;
  timezone: string;
  department: string;
  reviewer_name: string | null;
  today: string;
  /** The short form of the hash of the review and its decision, as currently stored. */
  reference: string;
  signatures: LetterSignature[];
};

export type LetterSignature = {
  role: SignatureRole;
  signer_name: string;
  typed_name: string | null;
  image_key: string | null;
  content_hash: string;
  round: number;
  signed_at: string;
  voided_at: string | null;
};

type Beside = Omit<LetterContent, keyof Signable | 'reference' | 'signatures'>;

async function besideOf(db: Db, id: number): Promise<Beside> {
  const { rows } = await sql<Beside>`
    select v.sequence, v.review_date, v.status, v.employee_comment, v.employee_acknowledged_at, v.person_signs_in,
           v.talked_on, v.acknowledgement_recorded_by_name, v.decided_at,
           v.decided_by_name, v.reverted_at, v.revert_reason,
           v.extended_until as new_probation_end_date,
           p.name as person_name, p.employee_number as person_number,
           case when j.employee_id is null then p.job_title else j.job_title end as job_title,
           n.name as company, n.address as company_address, n.country, n.timezone, d.name as department,
           r.name as reviewer_name, (now() at time zone n.timezone)::date as today
    from probation_reviews v
    join employees p on p.id = v.employee_id
    join entities n on n.id = v.entity_id
    join departments d on d.id = v.department_id
    left join employees r on r.id = v.reviewer_id
    left join job_periods j on j.employee_id = v.employee_id
      and (v.decided_at at time zone n.timezone)::date between j.first_day and j.last_day
    where v.id = ${id}`.execute(db);
  return rows[0] as Beside;
}

/** Everything that a letter about a decided review can contain; signatures in the order in which they were given. */
export async function letterContentOf(db: Db, id: number): Promise<LetterContent> {
  const { criteria, ...review } = await signableOf(db, id);
  const { rows: signatures } = await sql<LetterSignature>`
    select role, signer_name, typed_name, image_key, content_hash, round, signed_at, voided_at
    from probation_signatures where review_id = ${id} order by signed_at, id`.execute(db);
  return {
    ...review,
    ...(await besideOf(db, id)),
    criteria: criteria as StoredCriterion[] | null,
    reference: referenceOf(hashOf(contentOf({ ...review, criteria }, 'hr'))),
    signatures,
  };
}
