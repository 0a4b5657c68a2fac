import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { holds, reachOf } from '../access/actor.ts';
import type { Actor } from '../access/actor.ts';
import type { ReadCtx } from '../http/context.ts';
import { forbidden, notFound } from '../http/errors.ts';
import type { ImportKind } from './kind.ts';
import { readImport } from './record.ts';
import type { ImportRecord } from './record.ts';

/** The parts of a kind that decide who sees its imports. */
type Seen = Pick<ImportKind, 'type' | 'permission'>;

const seesAll = ({ permission }: Seen, actor: Actor) => reachOf(actor, permission).everything;
const isOwn = (actor: Actor, { created_by }: Pick<ImportRecord, 'created_by'>) => created_by === actor.user_id;

/** Imports of a kind that the actor sees: their own, and all with scope `all`. */
export const visibleImports = (kind: Seen, actor: Actor) =>
  seesAll(kind, actor)
    ? sql<boolean>`i.type = ${kind.type}`
    : sql<boolean>`i.type = ${kind.type} and i.created_by = ${actor.user_id}`;

/** The records that imports created and no undo removed; none for an import that the actor does not see. */
export const writtenBy = (kind: Seen, actor: Actor, importIds: readonly number[]) => sql`
  select r.subject_id from import_rows r join imports i on i.id = r.import_id
  where r.import_id = any(${importIds}::bigint[]) and r.status in ('created', 'updated')
    and ${holds(actor, kind.permission)} and ${visibleImports(kind, actor)}`;

/** The rows `r` of an import that the actor sees. */
export const visibleRows = (
  { hiddenRows }: Pick<ImportKind, 'hiddenRows'>,
  actor: Actor,
  record: ImportRecord,
): RawBuilder<SqlBool> => {
  const hidden = hiddenRows?.(actor, record);
  return hidden ? sql<SqlBool>`${hidden} is not true` : sql<SqlBool>`true`;
};

type Found = { lock?: boolean };

/** Finds the import of a path among those the actor sees. Throws 404. */
export async function findImport(
  kind: ImportKind,
  { db, actor, params }: ReadCtx & { params: { id: number } },
  { lock = false }: Found = {},
): Promise<ImportRecord> {
  if (lock) await sql`select from imports where id = ${params.id} for update`.execute(db);
  const record = await readImport(db, sql`i.id = ${params.id} and ${visibleImports(kind, actor)}`);
  if (!record) throw notFound();
  return record;
}

/** Refuses all but the uploader: only they may edit, commit or discard an import. */
export function requireOwn(actor: Actor, record: ImportRecord): void {
  if (!isOwn(actor, record)) throw forbidden();
}

/** States of an import in which an undo may start or be retried. */
export const undoableStates: readonly ImportRecord['status'][] = ['completed', 'partly_undone'];

const undoable = ({ status, undo_until }: ImportRecord, now: string) =>
  undoableStates.includes(status) && undo_until !== null && now < undo_until;

const staged = ['needs_mapping', 'preview'];

/** The actions that the actor currently has on an import. */
export function allowedActions(actor: Actor, record: ImportRecord): string[] {
  const own = isOwn(actor, record);
  const isOpen = own && staged.includes(record.status);
  const mayCommit = record.status === 'preview' && !(record.mode === 'atomic' && record.counts.failed > 0);
  return [
    ...(isOpen ? ['update'] : []),
    ...(isOpen && mayCommit ? ['commit'] : []),
    ...(undoable(record, Temporal.Now.instant().toString()) ? ['undo'] : []),
    ...(isOpen ? ['delete'] : []),
  ];
}
