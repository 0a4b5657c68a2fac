import type { SignatureInput } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { sql } from 'kysely';
import { record } from '../../audit.ts';
import type { Acting as RecordActing, Entry } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { Upload } from '../../http/body.ts';
import type { ServiceCtx } from '../../http/context.ts';
import { blocked, invalid } from '../../http/errors.ts';
import { contentOf, hashOf } from './content.ts';
import type { Content, Signable, SignatureRole } from './content.ts';
import { storeDrawing } from './signature-image.ts';
import type { Drawing } from './signature-image.ts';

type Acting = Pick<ServiceCtx, 'db' | 'actor' | 'request'>;

/** A review as signatures need it: the signed content, and its name in the audit log. */
export type SignableReview = Signable & { entity_id: number; person_name: string };

const columns = sql`
  r.id, r.employee_id, r.entity_id, r.probation_start_date, r.probation_end_date, r.milestone, r.round, r.performance_rating,
  r.criteria, r.criteria_score, r.strengths, r.improvements, r.comments, r.recommendation, r.extension_months, r.outcome,
  r.outcome_extension_months, r.effective_date, r.hr_comments, p.name as person_name`;

/** Reviews as currently stored. */
export async function signablesOf(db: Db, reviewIds: readonly number[]): Promise<SignableReview[]> {
  const { rows } = await sql<SignableReview>`
    select ${columns} from probation_reviews r join employees p on p.id = r.employee_id
    where r.id = any(${reviewIds}::bigint[])`.execute(db);
  return rows;
}

/** The review as currently stored. */
export async function signableOf(db: Db, reviewId: number): Promise<SignableReview> {
  const [review] = await signablesOf(db, [reviewId]);
  if (!review) throw new Error(`The probation review ${reviewId} is gone`);
  return review;
}

type Named = Pick<SignableReview, 'employee_id' | 'entity_id' | 'probation_end_date' | 'person_name'>;

const entryOf = (verb: 'created' | 'voided', id: number, review: Named): Entry => ({
  action: `probation_signature.${verb}`,
  subject_id: id,
  subject_label: `${review.person_name}, probation until ${review.probation_end_date}`,
  entity_id: review.entity_id,
  about_employee_id: review.employee_id,
});

type Valid = { id: number; role: SignatureRole; content_hash: string };

async function validOf(db: Db, reviewId: number): Promise<Valid[]> {
  const { rows } = await sql<Valid>`
    select id, role, content_hash from probation_signatures where review_id = ${reviewId} and valid
    order by id for update`.execute(db);
  return rows;
}

/** Voids signatures; they stay readable. */
async function voidThese(acting: Acting, review: SignableReview, signatures: readonly Valid[]): Promise<void> {
  if (signatures.length === 0) return;
  const ids = signatures.map(({ id }) => id);
  await sql`
    update probation_signatures set valid = false, voided_at = now() where id = any(${ids}::bigint[])`.execute(
    acting.db,
  );
  await record(acting, ...ids.map((id) => entryOf('voided', id, review)));
}

/** Voids every valid signature of a review, or those of one role. */
export async function voidOf(acting: Acting, reviewId: number, role?: SignatureRole): Promise<void> {
  const signatures = (await validOf(acting.db, reviewId)).filter((one) => role === undefined || one.role === role);
  if (signatures.length > 0) await voidThese(acting, await signableOf(acting.db, reviewId), signatures);
}

/** Voids every valid signature of many reviews. */
export async function voidAllOf(acting: RecordActing, reviewIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number } & Named>`
    update probation_signatures s set valid = false, voided_at = now()
    from probation_reviews r join employees p on p.id = r.employee_id
    where r.id = any(${reviewIds}::bigint[]) and s.review_id = r.id and s.valid
    returning s.id, r.employee_id, r.entity_id, r.probation_end_date, p.name as person_name`.execute(acting.db);
  await record(acting, ...rows.map(({ id, ...review }) => entryOf('voided', id, review)));
}

/** Voids signatures whose content differs from the stored one; called after each write to a review. */
export async function voidChanged(acting: Acting, reviewId: number): Promise<void> {
  const signatures = await validOf(acting.db, reviewId);
  if (signatures.length === 0) return;
  const review = await signableOf(acting.db, reviewId);
  await voidThese(
    acting,
    review,
    signatures.filter(({ role, content_hash }) => hashOf(contentOf(review, role)) !== content_hash),
  );
}

/** True if a signature of the role is valid in the round. */
export async function isSigned(db: Db, reviewId: number, role: SignatureRole, round: number): Promise<boolean> {
  const { rows } = await sql`
    select from probation_signatures
    where review_id = ${reviewId} and role = ${role} and round = ${round} and valid`.execute(db);
  return rows.length > 0;
}

/** The signature itself: a typed name, or a drawing in the body or uploaded with it. */
export type Given = {
  input: SignatureInput;
  file?: Upload | null;
  /** Where the body contains the fields. */
  at?: '' | 'signature.';
};

type Mark = { typed_name: string | null; drawing: Drawing | null };

async function markOf(signing: ServiceCtx, { input, file = null, at = 'signature.' }: Given): Promise<Mark> {
  if (input.method === 'typed') {
    if (!input.typed_name) throw invalid(`${at}typed_name`, messages.required);
    return { typed_name: input.typed_name, drawing: null };
  }
  const sent = file ?? input.image;
  if (!sent) throw invalid(`${at}image`, messages.required);
  return { typed_name: null, drawing: await storeDrawing(signing.deps, sent, `${at}image`) };
}

type Made = Mark & { role: SignatureRole; content: Content };

async function insert({ db, actor }: Acting, review: SignableReview, { role, content, ...mark }: Made) {
  const { rows } = await sql<{ id: number }>`
    insert into probation_signatures (review_id, role, signer_id, signer_name, method, typed_name, image_key,
                                      image_checksum, content, content_hash, round)
    values (${review.id}, ${role}, ${actor.user_id}, ${actor.name}, ${mark.drawing ? 'drawn' : 'typed'},
            ${mark.typed_name}, ${mark.drawing?.key ?? null}, ${mark.drawing?.sha256 ?? null},
            ${JSON.stringify(content)}::jsonb, ${hashOf(content)}, ${review.round})
    returning id`.execute(db);
  return (rows[0] as { id: number }).id;
}

/** Signatures of one person in one round of a review: each is kept permanently. */
export const maxSignatures = 20;

async function refuseTooMany({ db, actor }: Acting, reviewId: number): Promise<void> {
  const { rows } = await sql<{ made: number }>`
    select count(*) as made from probation_signatures s
    join probation_reviews v on v.id = s.review_id and v.round = s.round
    where s.review_id = ${reviewId} and s.signer_id = ${actor.user_id}`.execute(db);
  if ((rows[0]?.made ?? 0) >= maxSignatures)
    throw blocked('signatures', text('signatures.too_many', { most: maxSignatures }));
}

/**
 * Signs a locked review as currently stored; an earlier signature of the role becomes void.
 * @returns the id of the signature
 * @throws 422 on the invalid field
 */
export async function signWith(
  signing: ServiceCtx,
  reviewId: number,
  role: SignatureRole,
  given: Given,
): Promise<number> {
  await refuseTooMany(signing, reviewId);
  const mark = await markOf(signing, given);
  await voidOf(signing, reviewId, role);
  const review = await signableOf(signing.db, reviewId);
  const content = contentOf(review, role);
  const id = await insert(signing, review, { ...mark, role, content });
  await record(signing, {
    ...entryOf('created', id, review),
    changes: { role: { from: null, to: role }, content_hash: { from: null, to: hashOf(content) } },
  });
  return id;
}

/** Signs a locked review with the field `signature` of a step. */
export async function sign(
  signing: ServiceCtx,
  { id }: { id: number },
  role: SignatureRole,
  input: SignatureInput,
): Promise<void> {
  await signWith(signing, id, role, { input });
}
