import type { KpiEvaluation } from '@tenure/contract';
import { record } from '../../audit.ts';
import { letterheadOf } from '../../brand/read.ts';
import type { FileReply } from '../../http/context.ts';
import type { ServiceCtx } from '../../http/context.ts';
import { issuerOf, pdfReply } from '../../pdf/issuer.ts';
import { renderPdf } from '../../pdf/render.ts';
import { wordsOf } from '../../pdf/wording.ts';
import { composeEvaluation } from './pdf-sheet.ts';
import { allEvidence } from './evidence.ts';
import { showEvaluation } from './queries.ts';
import type { StoredEvaluation } from './record.ts';

/** True while the reviewer writes and another user reads, who only sees the draft if they can write it on behalf. */
const isDraftOfReviewer = ({ actor }: ServiceCtx, { status, reviewer_id: reviewer }: StoredEvaluation) =>
  status === 'manager_review' && (reviewer === null || reviewer !== actor.employee_id);

/** Removes what the reviewer has not submitted: only its author gets a draft in print. */
function withoutReview({ manager_comment, strengths, improvements, explain, ...rest }: KpiEvaluation): KpiEvaluation {
  return {
    ...rest,
    explain: { ...(explain.self && { self: explain.self }) },
    items: rest.items.map(({ manager_score, manager_comment: _words, manager_actual_value, ...item }) => item),
  };
}

/** The evaluation as PDF in the reader's language, with the same fields and evidence that its page shows the reader. */
export async function evaluationPdf(ctx: ServiceCtx, row: StoredEvaluation): Promise<FileReply> {
  const { language } = ctx.request;
  const isOthers = isDraftOfReviewer(ctx, row);
  const shown = await showEvaluation(ctx, row);
  const evaluation = isOthers ? withoutReview(shown) : shown;
  const evidence = (await allEvidence(ctx, row)).filter(({ stage }) => !isOthers || stage !== 'manager');
  const issuer = await issuerOf(ctx.db, row.entity_id);
  const letterhead = await letterheadOf({ db: ctx.db, files: ctx.deps.files }, row.entity_id);
  const words = wordsOf(language, issuer.timezone);
  const reader = ctx.actor.name;
  const sheet = composeEvaluation({ evaluation, evidence, issuer, letterhead, language, words, reader });
  const pdf = await renderPdf(sheet, ctx.actor.user_id);
  if (row.employee_id !== ctx.actor.employee_id)
    await record(ctx, {
      action: 'kpi_evaluation.downloaded',
      subject_id: row.id,
      subject_label: `${evaluation.employee.name}, ${evaluation.cycle.name}`,
      entity_id: row.entity_id,
      about_employee_id: row.employee_id,
    });
  return pdfReply(pdf, `${sheet.title} - ${evaluation.employee.name} - ${evaluation.cycle.name}`);
}
