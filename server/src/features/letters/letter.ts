import { text } from '@tenure/contract';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { LetterKind } from '@tenure/contract';
import { record } from '../../audit.ts';
import { letterheadOf } from '../../brand/read.ts';
import { storedFileName } from '../../files/names.ts';
import { FileReply } from '../../http/context.ts';
import type { Ctx, ServiceCtx } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { renderPdf } from '../../pdf/render.ts';
import { letterContentOf } from '../probation-reviews/letter-content.ts';
import type { LetterContent } from '../probation-reviews/letter-content.ts';
import type { StoredReview } from '../probation-reviews/record.ts';
import { composeLetter } from './compose.ts';
import { findTemplate, wordingOf } from './templates.ts';
import type { Signed } from './writer.ts';

const byOutcome = { confirm: 'confirmation', extend: 'extension', terminate: 'termination' } as const;

/** The default letter of a review; a reverted decision only has its record. */
const usualKind = ({ status, outcome }: LetterContent): LetterKind =>
  status === 'approved' && outcome ? byOutcome[outcome] : 'review_record';

function kindOf(content: LetterContent, wanted: LetterKind | null | undefined): LetterKind {
  const usual = usualKind(content);
  if (!wanted || wanted === usual || wanted === 'review_record') return wanted ?? usual;
  throw invalid('kind', text('letters.kind_does_not_fit'));
}

/** The signatures with their pictures; a signature whose picture is missing shows the name. */
async function signedOf({ deps }: Pick<Ctx, 'deps'>, { signatures }: LetterContent): Promise<Signed[]> {
  const signed: Signed[] = [];
  for (const signature of signatures) {
    const found = signature.image_key ? await deps.files.open(signature.image_key) : null;
    signed.push({ ...signature, picture: found && (await buffer(found.stream)) });
  }
  return signed;
}

/** The letter of a decided review as PDF in the reader's language. */
export async function letterReply(
  ctx: ServiceCtx,
  review: Pick<StoredReview, 'id' | 'employee_id' | 'entity_id'>,
  wanted: LetterKind | null | undefined,
): Promise<FileReply> {
  const { language } = ctx.request;
  const content = await letterContentOf(ctx.db, review.id);
  const kind = kindOf(content, wanted);
  const sheet = composeLetter({
    kind,
    language,
    content,
    signed: await signedOf(ctx, content),
    letterhead: await letterheadOf({ db: ctx.db, files: ctx.deps.files }, review.entity_id),
    wording: wordingOf(await findTemplate(ctx.db, kind, 'read'), language),
    address: `${ctx.deps.config.APP_URL}/probation/${review.id}/verify`,
  });
  const pdf = await renderPdf(sheet, ctx.actor.user_id);
  if (review.employee_id !== ctx.actor.employee_id)
    await record(ctx, {
      action: 'probation_review.letter',
      subject_id: review.id,
      subject_label: `${content.person_name}, probation until ${content.probation_end_date}`,
      entity_id: review.entity_id,
      about_employee_id: review.employee_id,
      changes: { kind: { from: null, to: kind } },
    });
  return new FileReply({
    stream: Readable.from([Buffer.from(pdf)]),
    size: pdf.byteLength,
    mime_type: 'application/pdf',
    name: storedFileName(`${sheet.title} - ${content.person_name}.pdf`.replaceAll(/[/\\]/g, '-')),
  });
}
