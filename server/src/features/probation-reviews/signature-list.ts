import type { ProbationSignature, probationSignatures, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, oneOfIds, oneOfTexts, orderedBy, selectPage } from '../../db/lists.ts';
import { FileReply } from '../../http/context.ts';
import type { Deps, ReadCtx } from '../../http/context.ts';
import { notFound, unavailable } from '../../http/errors.ts';
import { presentSignature, signatureColumns, signaturesSeen } from './signature-rows.ts';
import type { SignatureRow } from './signature-rows.ts';
import type { ReviewFacts } from './capacities.ts';
import { sightOf } from './visibility.ts';

type ListQuery = QueryOut<typeof probationSignatures.list>;

const sorts = { signed_at: sql`s.signed_at`, role: sql`s.role`, round: sql`s.round` };

/** A page of the visible signatures, by default the newest first. */
export async function listSignatures({ db, actor }: ReadCtx, row: ReviewFacts, query: ListQuery) {
  const where = every([
    signaturesSeen(row.id, sightOf(actor, row)),
    ...oneOfTexts(sql`s.role`, query.role),
    ...oneOfIds(sql`s.round`, query.round),
    ...(query.valid === undefined ? [] : [sql<boolean>`s.valid = ${query.valid}`]),
    ...holdsWords([sql`s.signer_name`], query.search),
  ]);
  const by = query.sort_by ?? 'signed_at';
  const direction = query.sort_direction ?? (by === 'signed_at' ? 'desc' : 'asc');
  const page = await selectPage(db, query, {
    rows: sql<SignatureRow>`
      select ${signatureColumns} from probation_signatures s
      where ${where} ${orderedBy(sorts[by], direction, sql`s.id`)}`,
    total: sql`select count(*) from probation_signatures s where ${where}`,
  });
  return { rows: page.rows.map(presentSignature), total: page.total };
}

/** Finds a visible signature of this review. Throws 404 for any other. */
export async function findSignature({ db, actor }: ReadCtx, row: ReviewFacts, id: number): Promise<SignatureRow> {
  const { rows } = await sql<SignatureRow>`
    select ${signatureColumns} from probation_signatures s
    where s.id = ${id} and ${signaturesSeen(row.id, sightOf(actor, row))}`.execute(db);
  const [found] = rows;
  if (!found) throw notFound();
  return found;
}

/** A signature as shown to the user who just gave it. */
export async function readSignature(db: Db, id: number): Promise<ProbationSignature> {
  const { rows } = await sql<SignatureRow>`
    select ${signatureColumns} from probation_signatures s where s.id = ${id}`.execute(db);
  return presentSignature(rows[0] as SignatureRow);
}

/** The picture of a drawn signature. Throws 404 for a typed one, 503 if the picture is missing. */
export async function imageReply({ files, log }: Deps, { id, image_key }: SignatureRow): Promise<FileReply> {
  if (image_key === null) throw notFound();
  const found = await files.open(image_key);
  if (found) return new FileReply({ ...found, mime_type: 'image/png', name: `signature-${id}.png` });
  log.error({ event: 'file_missing', signature_id: id }, 'the file store lacks the file of a row');
  throw unavailable(30);
}
