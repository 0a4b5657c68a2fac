import type { ProbationVerification } from '@tenure/contract';
import { sql } from 'kysely';
import { startSha256 } from '../../crypto/crypto.ts';
import type { Deps, ServiceCtx } from '../../http/context.ts';
import { contentOf, differencesBetween, hashOf, referenceOf } from './content.ts';
import type { Content, Signable } from './content.ts';
import { presentSignature, signatureColumns, signaturesSeen } from './signature-rows.ts';
import type { SignatureRow } from './signature-rows.ts';
import { signableOf } from './signatures.ts';
import type { ReviewFacts } from './capacities.ts';
import { sightOf } from './visibility.ts';

type SignedRow = SignatureRow & { content: Content; image_checksum: string | null };
type Verified = ProbationVerification['signatures'][number];

/** The signed and the stored values, field by field; `content` means that the record of the signature was changed. */
function compare(review: Signable, { role, content, content_hash }: SignedRow) {
  const stored = contentOf(review, role as Verified['role']);
  const current_hash = hashOf(stored);
  const isIntact = hashOf(content) === content_hash;
  return {
    current_hash,
    matches: isIntact && current_hash === content_hash,
    differences: [...differencesBetween(content, stored), ...(isIntact ? [] : ['content'])],
  };
}

/** True if the stored picture is the one used for signing. */
async function isSamePicture({ files }: Deps, key: string, checksum: string | null): Promise<boolean> {
  const found = await files.open(key);
  if (!found) return false;
  const hash = startSha256();
  for await (const chunk of found.stream as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex') === checksum;
}

async function verified(deps: Deps, review: Signable, row: SignedRow): Promise<Verified> {
  const compared = row.valid ? compare(review, row) : { current_hash: null, matches: null, differences: [] };
  const image_matches = row.image_key === null ? null : await isSamePicture(deps, row.image_key, row.image_checksum);
  return { ...presentSignature(row), ...compared, reference: referenceOf(row.content_hash), image_matches };
}

/** Compares the stored values with those that the visible signatures were given for. */
export async function verifyReview({ db, deps, actor }: ServiceCtx, row: ReviewFacts): Promise<ProbationVerification> {
  const { rows } = await sql<SignedRow>`
    select ${signatureColumns}, s.content, s.image_checksum from probation_signatures s
    where ${signaturesSeen(row.id, sightOf(actor, row))} order by s.signed_at desc, s.id desc`.execute(db);
  const review = await signableOf(db, row.id);
  const signatures: Verified[] = [];
  for (const one of rows) signatures.push(await verified(deps, review, one));
  return {
    review_id: row.id,
    checked_at: Temporal.Now.instant().toString({ fractionalSecondDigits: 3 }),
    matches: signatures.every((one) => !one.valid || (one.matches === true && one.image_matches !== false)),
    signatures,
  };
}
