import type { Attachment, attachments, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, oneOfTexts, orderedBy, selectPage } from '../../db/lists.ts';
import { notFound } from '../../http/errors.ts';
import type { Sight } from './policy.ts';

type ListQuery = QueryOut<typeof attachments.list>;

/** A file as stored; `file_key` is its key in the file store and never leaves the service. */
export type StoredAttachment = Omit<Attachment, 'uploaded_by' | 'download_url' | 'allowed_actions'> & {
  uploaded_by_id: number | null;
  uploaded_by_name: string;
  file_key: string;
};

const rows = sql`
  select a.id, a.employee_id, a.category, a.title, a.visibility, a.file_key, a.file_name, a.mime_type, a.size,
         a.checksum, a.uploaded_by as uploaded_by_id, a.uploaded_by_name, a.scan_status, a.revision, a.created_at, a.updated_at
  from attachments a`;

const seen = (personId: number, { visibilities, identity }: Sight) =>
  every([
    sql<SqlBool>`a.employee_id = ${personId}`,
    ...oneOfTexts(sql`a.visibility`, visibilities),
    ...(identity ? [] : [sql<SqlBool>`a.category <> 'id_document'`]),
  ]);

const sorts = {
  created_at: sql`a.created_at`,
  title: sql`fold(a.title) collate "C"`,
  file_name: sql`fold(a.file_name) collate "C"`,
  category: sql`a.category`,
};

export function present({ mayChange }: Sight) {
  return ({ uploaded_by_id, uploaded_by_name, file_key: _key, ...row }: StoredAttachment): Attachment => ({
    ...row,
    uploaded_by: { user_id: uploaded_by_id, name: uploaded_by_name },
    download_url: `/api/employees/${row.employee_id}/attachments/${row.id}/download`,
    allowed_actions: mayChange ? ['update', 'delete'] : [],
  });
}

/** A page of the visible files of a person, by default the newest first. */
export async function listAttachments(db: Db, personId: number, sight: Sight, query: ListQuery) {
  const where = every([
    seen(personId, sight),
    ...oneOfTexts(sql`a.category`, query.category),
    ...oneOfTexts(sql`a.visibility`, query.visibility),
    ...holdsWords([sql`a.title`, sql`a.file_name`], query.search),
  ]);
  const by = query.sort_by ?? 'created_at';
  const direction = query.sort_direction ?? (by === 'created_at' ? 'desc' : 'asc');
  const page = await selectPage(db, query, {
    rows: sql<StoredAttachment>`${rows} where ${where} ${orderedBy(sorts[by], direction, sql`a.id`)}`,
    total: sql`select count(*) from attachments a where ${where}`,
  });
  return { rows: page.rows.map(present(sight)), total: page.total };
}

/** Finds a visible file of this person; throws 404 for any other. */
export async function findAttachment(db: Db, personId: number, id: number, sight: Sight): Promise<StoredAttachment> {
  const found = await sql<StoredAttachment>`${rows} where a.id = ${id} and ${seen(personId, sight)}`.execute(db);
  const [row] = found.rows;
  if (!row) throw notFound();
  return row;
}

/** The number and total size of a person's files. */
export async function filesOf(db: Db, personId: number): Promise<{ files: number; bytes: number }> {
  const found = await sql<{ files: number; bytes: number }>`
    select count(*) as files, coalesce(sum(size), 0)::bigint as bytes
    from attachments where employee_id = ${personId}`.execute(db);
  return found.rows[0] as { files: number; bytes: number };
}
