import type { attachments, BodyOut } from '@tenure/contract';
import { changesBetween, record } from '../../audit.ts';
import type { WriteCtx } from '../../http/context.ts';
import { forbidden } from '../../http/errors.ts';
import { checkRevision } from '../../workflow/transition.ts';
import type { EmployeeRecord } from '../../people/record.ts';
import type { Sight } from './policy.ts';
import type { StoredAttachment } from './queries.ts';
import { titleOf } from './upload.ts';

type Body = BodyOut<typeof attachments.update>;

/**
 * Changes the metadata of a file; its content stays. The title defaults to the file name. Throws 403 if the file would
 * become an identity document and the actor has no access to those, 422 for a stale revision.
 */
export async function changeAttachment(
  ctx: WriteCtx,
  person: EmployeeRecord,
  sight: Sight,
  { file, body }: { file: StoredAttachment; body: Body },
): Promise<void> {
  if (body.category === 'id_document' && !sight.identity) throw forbidden();
  checkRevision(file, body, file.scan_status);
  const title = body.title === null ? titleOf(file.file_name) : (body.title ?? file.title);
  const changes = changesBetween(file, { category: body.category, title, visibility: body.visibility });
  if (Object.keys(changes).length === 0) return;
  const set = Object.fromEntries(Object.entries(changes).map(([field, { to }]) => [field, to]));
  await ctx.db.updateTable('attachments').set(set).where('id', '=', file.id).execute();
  await record(ctx, {
    action: 'attachment.updated',
    subject_id: file.id,
    subject_label: `${person.name}: ${title}`,
    entity_id: person.entity_id,
    about_employee_id: person.id,
    changes,
  });
}
