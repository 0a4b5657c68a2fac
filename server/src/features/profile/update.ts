import type { BodyOut, profile } from '@tenure/contract';
import { changesBetween, record } from '../../audit.ts';
import type { ReadCtx, WriteCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { employeeFields, isSame, merge, valuesOf } from '../../people/fields.ts';
import type { Sent } from '../../people/fields.ts';
import { changePeople } from '../../people/row-write.ts';
import { updatePreferences } from './preferences.ts';
import { columnNames } from '../../db/all-columns.ts';

type Body = BodyOut<typeof profile.update>;

/** Finds and locks the user's own record. Throws 404 for an account without one. */
export async function lockOwnRecord({ db, actor }: ReadCtx) {
  return db
    .selectFrom('employees')
    .select(columnNames('employees'))
    .$narrowType<{ name: string }>()
    .where('id', '=', actor.employee_id ?? 0)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
}

async function updateRecord(ctx: WriteCtx, { revision, ...sent }: Sent & { revision?: number | undefined }) {
  const person = await lockOwnRecord(ctx);
  checkRevision(person, { revision }, person.activity_status);
  const before = valuesOf(person as unknown as Parameters<typeof valuesOf>[0]);
  const after = merge(before, sent);
  const changed = employeeFields.filter((field) => !isSame(before[field], after[field]));
  if (changed.length === 0) return;
  const set = Object.fromEntries(changed.map((field) => [field, after[field]]));
  await changePeople(ctx.db, ctx.actor, [person.id], set);
  await record(ctx, {
    action: 'employee.updated',
    subject_id: person.id,
    subject_label: person.name,
    entity_id: person.entity_id,
    changes: changesBetween(before, set),
  });
}

async function updateLocale({ db, actor, request }: WriteCtx, locale: string) {
  const { locale: from, locale_chosen } = await db
    .selectFrom('users')
    .select(['locale', 'locale_chosen'])
    .where('id', '=', actor.user_id)
    .executeTakeFirstOrThrow();
  if (from === locale && locale_chosen) return;
  await db.updateTable('users').set({ locale, locale_chosen: true }).where('id', '=', actor.user_id).execute();
  if (from === locale) return;
  await record(
    { db, actor, request },
    {
      action: 'account.updated',
      subject_id: actor.user_id,
      subject_label: actor.name,
      changes: { locale: { from, to: locale } },
    },
  );
}

/** Changes the editable fields of the user's own record; without a person, only locale and preferences. */
export async function updateProfile(ctx: WriteCtx, { locale, preferences, ...fields }: Body): Promise<void> {
  if (ctx.actor.employee_id !== null) await updateRecord(ctx, fields);
  if (locale !== undefined) await updateLocale(ctx, locale);
  if (preferences !== undefined) await updatePreferences(ctx, preferences);
}
