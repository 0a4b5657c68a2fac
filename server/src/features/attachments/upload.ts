import { text } from '@tenure/contract';
import type { attachments, BodyOut } from '@tenure/contract';
import { record } from '../../audit.ts';
import { cut } from '@tenure/contract/cut';
import { filesPerEmployee } from '../../files/limits.ts';
import type { Upload } from '../../http/body.ts';
import type { ServiceCtx } from '../../http/context.ts';
import { forbidden, invalid } from '../../http/errors.ts';
import { describeUpload } from '../../http/stored-files.ts';
import type { EmployeeRecord } from '../../people/record.ts';
import type { Sight } from './policy.ts';
import { filesOf } from './queries.ts';

type Body = BodyOut<typeof attachments.create>;

const megabyte = 1_024 * 1_024;
const maxTitle = 150;

/** The default title of a file. */
export const titleOf = (file_name: string): string => cut(file_name, maxTitle);

/** Locks the person's row, so that each of two simultaneous uploads counts the other. */
async function refuseTooMany({ db }: ServiceCtx, person: EmployeeRecord, size: number): Promise<void> {
  const { files, bytes } = await filesOf(db, person.id);
  const { files: maxFiles, bytes: maxBytes } = filesPerEmployee;
  if (files >= maxFiles) throw invalid('file', text('employees.too_many_files', { most: maxFiles }));
  if (bytes + size > maxBytes)
    throw invalid('file', text('employees.files_too_large', { megabytes: maxBytes / megabyte }));
}

/** Stores a file of a person whose row is locked. Identity documents need access to private details. */
export async function addAttachment(
  ctx: ServiceCtx,
  person: EmployeeRecord,
  sight: Sight,
  { file, body }: { file: Upload; body: Body },
): Promise<number> {
  const { db, deps, actor } = ctx;
  if (body.category === 'id_document' && !sight.identity) throw forbidden();
  const described = await describeUpload(deps, file, 'attachment');
  await refuseTooMany(ctx, person, file.size);
  const fields = {
    category: body.category,
    title: body.title ?? titleOf(described.file_name),
    visibility: body.visibility ?? 'hr_only',
    ...described,
  };
  const { id } = await db
    .insertInto('attachments')
    .values({
      ...fields,
      employee_id: person.id,
      file_key: await deps.files.keep(file),
      uploaded_by: actor.user_id,
      uploaded_by_name: actor.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const changes = Object.fromEntries(Object.entries(fields).map(([field, to]) => [field, { from: null, to }]));
  await record(ctx, {
    action: 'attachment.created',
    subject_id: id,
    subject_label: `${person.name}: ${fields.title}`,
    entity_id: person.entity_id,
    about_employee_id: person.id,
    changes,
  });
  return id;
}
