import { record } from '../../../audit.ts';
import { letterheadOf } from '../../../brand/read.ts';
import type { FileReply, ServiceCtx } from '../../../http/context.ts';
import { issuerOf, pdfReply } from '../../../pdf/issuer.ts';
import { renderPdf } from '../../../pdf/render.ts';
import { wordsOf } from '../../../pdf/wording.ts';
import { isSelf } from '../../../people/policy.ts';
import type { EmployeeRecord } from '../../../people/record.ts';
import { presentEmployee } from '../../../people/shown-fields.ts';
import { composeProfile } from './pdf-sheet.ts';

/** The PDF of a person in the reader's language, with the fields of the detail page except private details. */
export async function profilePdf(ctx: ServiceCtx, person: EmployeeRecord): Promise<FileReply> {
  const { language } = ctx.request;
  const employee = presentEmployee(ctx.actor, person);
  const issuer = await issuerOf(ctx.db, person.entity_id);
  const letterhead = await letterheadOf({ db: ctx.db, files: ctx.deps.files }, person.entity_id);
  const words = wordsOf(language, issuer.timezone);
  const sheet = composeProfile({ employee, issuer, letterhead, language, words, reader: ctx.actor.name });
  const pdf = await renderPdf(sheet, ctx.actor.user_id);
  if (!isSelf(ctx.actor, person))
    await record(ctx, {
      action: 'employee.downloaded',
      subject_id: person.id,
      subject_label: person.name,
      entity_id: person.entity_id,
    });
  return pdfReply(pdf, `${sheet.title} - ${employee.display_name}`);
}
