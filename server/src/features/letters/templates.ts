import { letterKinds, text } from '@tenure/contract';
import type { LetterKind, letters, LetterTemplate, BodyOut, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { reachOf } from '../../access/actor.ts';
import { changesBetween, record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, oneOfTexts, orderedBy, selectPage } from '../../db/lists.ts';
import type { LetterTemplates } from '../../db/schema.ts';
import { sentOf } from '../../db/values.ts';
import type { WriteCtx } from '../../http/context.ts';
import { invalidFields, notFound, say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import type { LanguageId } from '../../languages/catalogue.ts';
import { letterIn } from '../../languages/languages.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { unknownIn } from './placeholders.ts';

export type StoredTemplate = Selectable<LetterTemplates>;
type LetterReader = { actor: Actor; request: { language: LanguageId } };

const columns = sql`t.kind, t.title, t.body, t.created_at, t.updated_at, t.revision`;

/** Title and body: the stored ones, otherwise the defaults. */
export const wordingOf = ({ kind, title, body }: StoredTemplate, language: LanguageId) => {
  const shipped = letterIn(language, kind as LetterKind);
  return { title: title ?? shipped.title, body: body ?? shipped.body };
};

/** A template in the reader's language. */
export const present =
  ({ actor, request }: LetterReader) =>
  (row: StoredTemplate): LetterTemplate => ({
    ...row,
    ...wordingOf(row, request.language),
    kind: row.kind as LetterKind,
    is_default: row.title === null && row.body === null,
    allowed_actions: reachOf(actor, 'probation-review.approve').everything ? ['update'] : [],
  });

/** A page of templates by kind. The search uses the titles that the reader sees. */
export async function listTemplates(db: Db, query: QueryOut<typeof letters.list>, language: LanguageId) {
  const shipped = Object.fromEntries(letterKinds.map((kind) => [kind, letterIn(language, kind).title]));
  const where = every([
    ...oneOfTexts(sql`t.kind`, query.kind),
    ...holdsWords([sql`t.kind`, sql`coalesce(t.title, ${JSON.stringify(shipped)}::jsonb ->> t.kind)`], query.search),
  ]);
  return selectPage(db, query, {
    rows: sql<StoredTemplate>`
      select ${columns} from letter_templates t where ${where}
      ${orderedBy(sql`t.kind`, query.sort_direction ?? 'asc', sql`t.kind`)}`,
    total: sql`select count(*) from letter_templates t where ${where}`,
  });
}

/** Finds the template of a kind and locks it for a change. */
export async function findTemplate(db: Db, kind: LetterKind, held: 'held' | 'read'): Promise<StoredTemplate> {
  const { rows } = await sql<StoredTemplate>`
    select ${columns} from letter_templates t where t.kind = ${kind}
    ${held === 'held' ? sql`for update` : sql``}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

function refuseUnknown(texts: Readonly<Record<string, string | null | undefined>>): void {
  const errors: FieldErrors = {};
  for (const [field, written] of Object.entries(texts)) {
    const unknown = unknownIn(written ?? '').map((name) =>
      say(field, text('letters.unknown_placeholder', { placeholder: name === '' ? '{{}}' : name })),
    );
    if (unknown.length > 0) errors[field] = unknown;
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

/** Changes a locked template; null restores the default text. */
export async function changeTemplate(
  ctx: WriteCtx,
  before: StoredTemplate,
  { revision, ...texts }: BodyOut<typeof letters.update>,
): Promise<StoredTemplate> {
  refuseUnknown(texts);
  checkRevision(before, { revision }, before.title === null && before.body === null ? 'default' : 'changed');
  const shown = wordingOf(before, ctx.request.language);
  // sending the default text unchanged does not store a custom text
  const isDefault = (name: 'title' | 'body') => before[name] === null && texts[name] === shown[name];
  const sent = sentOf({
    title: isDefault('title') ? undefined : texts.title,
    body: isDefault('body') ? undefined : texts.body,
  });
  const changes = changesBetween(before, sent);
  if (Object.keys(changes).length === 0) return before;
  await ctx.db.updateTable('letter_templates').set(sent).where('kind', '=', before.kind).execute();
  await record(ctx, { action: 'letter_template.updated', subject_label: before.kind, changes });
  return findTemplate(ctx.db, before.kind as LetterKind, 'read');
}
