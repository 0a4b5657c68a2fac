import type { ProbationSignature } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, Selectable, SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { every } from '../../db/lists.ts';
import type { ProbationSignatures } from '../../db/schema.ts';
import type { Sight } from './visibility.ts';

export type SignatureRow = Omit<Selectable<ProbationSignatures>, 'content' | 'image_checksum'>;

/** The columns of a `SignatureRow`, from `probation_signatures s`. */
export const signatureColumns = sql`
  s.id, s.review_id, s.role, s.signer_id, s.signer_name, s.method, s.typed_name, s.image_key, s.content_hash, s.round,
  s.valid, s.voided_at, s.signed_at`;

/** Visible signatures of one review: the reviewer's with the assessment, the others with the result. */
export const signaturesSeen = (reviewId: number, { assessment, result }: Sight): RawBuilder<SqlBool> =>
  every([
    sql<SqlBool>`s.review_id = ${reviewId}`,
    ...(assessment ? [] : [sql<SqlBool>`s.role <> 'manager'`]),
    ...(result ? [] : [sql<SqlBool>`s.role = 'manager'`]),
  ]);

/** A signature as responses show it. */
export const presentSignature = (row: SignatureRow): ProbationSignature => ({
  id: row.id,
  role: row.role as ProbationSignature['role'],
  signer: { user_id: row.signer_id, name: row.signer_name },
  method: row.method as ProbationSignature['method'],
  typed_name: row.typed_name,
  image_url: row.image_key === null ? null : `/api/probation-reviews/${row.review_id}/signatures/${row.id}/image`,
  content_hash: row.content_hash,
  round: row.round,
  valid: row.valid,
  voided_at: row.voided_at,
  signed_at: row.signed_at,
});

/** The visible signatures of a review, the latest first; undefined if the reader can see none. */
export async function readSignatures(
  db: Db,
  reviewId: number,
  sight: Sight,
): Promise<ProbationSignature[] | undefined> {
  if (!sight.assessment && !sight.result) return undefined;
  const { rows } = await sql<SignatureRow>`
    select ${signatureColumns} from probation_signatures s where ${signaturesSeen(reviewId, sight)}
    order by s.signed_at desc, s.id desc`.execute(db);
  return rows.map(presentSignature);
}
