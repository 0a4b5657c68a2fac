import type { Evidence, kpiEvidence, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, oneOfIds, oneOfTexts, orderedBy, selectPage } from '../../db/lists.ts';
import { notFound } from '../../http/errors.ts';
import { check } from './transitions.ts';
import { capacitiesOf } from './capacities.ts';
import type { EvaluationFacts } from './capacities.ts';
import { evidenceSeen, sightOf } from './visibility.ts';

type ListQuery = QueryOut<typeof kpiEvidence.list>;

/** A piece of evidence as stored; `file_key` is its key in the file store and never leaves the service. */
export type StoredEvidence = Omit<Evidence, 'uploaded_by' | 'download_url' | 'allowed_actions'> & {
  file_key: string | null;
  uploaded_by_id: number | null;
  uploaded_by_name: string;
};

/** The stage of the evidence that can be added in each state. */
const stages: Readonly<Partial<Record<EvaluationFacts['status'], Evidence['stage']>>> = {
  self_assessment: 'self',
  manager_review: 'manager',
  hr_review: 'hr',
};
export const stageOf = ({ status }: EvaluationFacts): Evidence['stage'] | undefined => stages[status];

type Row = EvaluationFacts & { self_skipped: boolean };

const columns = sql`
  f.id, f.evaluation_id, f.item_id, f.stage, f.note, f.url, f.file_key, f.file_name, f.mime_type, f.size, f.checksum,
  f.scan_status, f.uploaded_by as uploaded_by_id, f.uploaded_by_name, f.revision, f.created_at, f.updated_at`;

/** Evidence of this evaluation that belongs to a step visible to the actor. */
const seen = (actor: Actor, row: Row): RawBuilder<SqlBool> =>
  sql<SqlBool>`(f.evaluation_id = ${row.id} and f.stage = any(${evidenceSeen(sightOf(actor, row))}::text[]))`;

/** True if the current step is open to the actor: a user who can save its draft can add evidence. */
export function mayWrite(actor: Actor, row: Row): boolean {
  const verdict = check('update', row, capacitiesOf(actor, row));
  return typeof verdict === 'object' && 'rule' in verdict;
}

/** Evidence as an actor sees it. */
export function present(actor: Actor, row: Row) {
  const isOpen = mayWrite(actor, row);
  return ({ uploaded_by_id, uploaded_by_name, file_key, ...piece }: StoredEvidence): Evidence => ({
    ...piece,
    uploaded_by: { user_id: uploaded_by_id, name: uploaded_by_name },
    download_url: file_key === null ? null : `/api/kpi-evaluations/${row.id}/evidence/${piece.id}/download`,
    allowed_actions: isOpen && uploaded_by_id === actor.user_id && piece.stage === stageOf(row) ? ['delete'] : [],
  });
}

const sorts = { created_at: sql`f.created_at`, file_name: sql`fold(f.file_name) collate "C"` };

/** A page of the visible evidence, by default the newest first; item 0 stands for the evaluation as a whole. */
export async function listEvidence({ db, actor }: { db: Db; actor: Actor }, row: Row, query: ListQuery) {
  const where = every([
    seen(actor, row),
    ...oneOfIds(sql`f.item_id`, query.item_id, { orNone: true }),
    ...oneOfTexts(sql`f.stage`, query.stage),
    ...holdsWords([sql`f.file_name`, sql`f.note`], query.search),
  ]);
  const by = query.sort_by ?? 'created_at';
  const direction = query.sort_direction ?? (by === 'created_at' ? 'desc' : 'asc');
  const page = await selectPage(db, query, {
    rows: sql<StoredEvidence>`
      select ${columns} from kpi_evidence f where ${where} ${orderedBy(sorts[by], direction, sql`f.id`)}`,
    total: sql`select count(*) from kpi_evidence f where ${where}`,
  });
  return { rows: page.rows.map(present(actor, row)), total: page.total };
}

/** All visible evidence, the oldest first; an evaluation has at most fifty pieces. */
export async function allEvidence({ db, actor }: { db: Db; actor: Actor }, row: Row): Promise<Evidence[]> {
  const { rows } = await sql<StoredEvidence>`
    select ${columns} from kpi_evidence f where ${seen(actor, row)} order by f.created_at, f.id`.execute(db);
  return rows.map(present(actor, row));
}

/** Finds a visible piece of evidence of this evaluation. Throws 404 for any other. */
export async function findEvidence(
  { db, actor }: { db: Db; actor: Actor },
  row: Row,
  id: number,
): Promise<StoredEvidence> {
  const { rows } = await sql<StoredEvidence>`
    select ${columns} from kpi_evidence f where f.id = ${id} and ${seen(actor, row)}`.execute(db);
  const [found] = rows;
  if (!found) throw notFound();
  return found;
}
