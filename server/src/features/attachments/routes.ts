import { attachments, text } from '@tenure/contract';
import type { AuditVerb, Permission } from '@tenure/contract';
import { record } from '../../audit.ts';
import { bind } from '../../http/context.ts';
import type { Ctx, RecordCtx } from '../../http/context.ts';
import { forbidden } from '../../http/errors.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { fileReply } from '../../http/stored-files.ts';
import { can, requireOther } from '../../people/policy.ts';
import { findEmployee } from '../../people/queries.ts';
import type { EmployeeRecord } from '../../people/record.ts';
import { sightOf } from './policy.ts';
import { findAttachment, listAttachments, present } from './queries.ts';
import type { StoredAttachment } from './queries.ts';
import { changeAttachment } from './update.ts';
import { addAttachment } from './upload.ts';

async function findPerson({ db, actor, params }: RecordCtx, permission: Permission) {
  const lock = permission === 'employees.update';
  const person = await findEmployee({ db, actor }, params.id, permission, { lock });
  return { person, sight: sightOf(actor, person) };
}

async function findFile(ctx: RecordCtx & { params: { attachmentId: number } }, permission: Permission) {
  const { person, sight } = await findPerson(ctx, permission);
  return { person, sight, file: await findAttachment(ctx.db, person.id, ctx.params.attachmentId, sight) };
}

const note = (ctx: Ctx, verb: AuditVerb<'attachment'>, person: EmployeeRecord, file: StoredAttachment) =>
  record(ctx, {
    action: `attachment.${verb}`,
    subject_id: file.id,
    subject_label: `${person.name}: ${file.title}`,
    entity_id: person.entity_id,
    about_employee_id: person.id,
  });

export const attachmentRoutes = [
  bind(attachments.list, {
    find: (ctx) => findPerson(ctx, 'employees.view'),
    handle: async (ctx, { person, sight }) =>
      pageOf(ctx, ctx.query, await listAttachments(ctx.db, person.id, sight, ctx.query)),
  }),
  bind(attachments.get, {
    find: (ctx) => findFile(ctx, 'employees.view'),
    handle: async (_ctx, { file, sight }) => read(present(sight)(file)),
  }),
  bind(attachments.download, {
    find: (ctx) => findFile(ctx, 'employees.view'),
    handle: async (ctx, { person, file }) => {
      const reply = await fileReply(ctx.deps, 'attachment', file);
      // access to another person's files is recorded, like access to private fields
      if (person.id !== ctx.actor.employee_id) await note(ctx, 'downloaded', person, file);
      return reply;
    },
  }),
  bind(attachments.create, {
    find: (ctx) => findPerson(ctx, 'employees.update'),
    allow: ({ actor }, { person }) => {
      // the page makes the same check before it shows the field
      if (!can(actor)(person).includes('add-file')) throw forbidden();
    },
    handle: async (ctx, { person, sight }) => {
      const id = await addAttachment(ctx, person, sight, ctx);
      // the response shows the new file, even if its visibility hides it afterwards
      const file = await findAttachment(ctx.db, person.id, id, {
        ...sight,
        visibilities: [ctx.body.visibility ?? 'hr_only'],
      });
      return done(present(sight)(file), text('employees.file_added'));
    },
  }),
  bind(attachments.update, {
    find: (ctx) => findFile(ctx, 'employees.update'),
    allow: (ctx, { person }) => requireOther(ctx.actor, person),
    handle: async (ctx, { person, sight, file }) => {
      await changeAttachment(ctx, person, sight, { file, body: ctx.body });
      // the response shows the changed file, even if its visibility hides it afterwards
      const wide = { ...sight, visibilities: [ctx.body.visibility ?? file.visibility] };
      return done(
        present(sight)(await findAttachment(ctx.db, person.id, file.id, wide)),
        text('employees.file_updated'),
      );
    },
  }),
  bind(attachments.delete, {
    find: (ctx) => findFile(ctx, 'employees.update'),
    allow: (ctx, { person }) => requireOther(ctx.actor, person),
    handle: async (ctx, { person, file }) => {
      await ctx.db.deleteFrom('attachments').where('id', '=', file.id).execute();
      await ctx.db.insertInto('removed_files').values({ file_key: file.file_key }).execute();
      await note(ctx, 'deleted', person, file);
    },
  }),
];
