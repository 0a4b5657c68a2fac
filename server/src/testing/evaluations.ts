import { expect } from 'vitest';
import type { TestApp } from './app.ts';

type Row = Record<string, unknown>;
/** Action, from, to, reason, round, actor. */
type HistoryRow = [string, string | null, string, string | null, number, number | null];
/** Event, variant, user. */
type NotificationRow = [string, string, number];

/** Sorted by their text, for lists without an order. */
export const sorted = <T>(list: readonly T[]): T[] => list.toSorted((a, b) => (String(a) < String(b) ? -1 : 1));

/** What tests of evaluation steps read from the tables. */
export function evaluationTesting({ owner }: Pick<TestApp, 'owner'>) {
  const rowsOf = async <T extends object>(text: string, id: number) => (await owner.query<T>(text, [id])).rows;
  const rowOf = async (id: number) =>
    (await rowsOf<Row>('select *, revision::int, round::int from kpi_evaluations where id = $1', id))[0] as Row;
  const itemsOf = (id: number) =>
    rowsOf<Row>(
      `select id::int, self_not_applicable, self_score::float, self_comment, self_actual_value::float,
              manager_not_applicable, manager_score::float, manager_comment, manager_actual_value::float,
              final_score::float, final_note
       from kpi_evaluation_items where evaluation_id = $1 order by sort_order, id`,
      id,
    );
  const historyOf = async (id: number): Promise<HistoryRow[]> =>
    (
      await rowsOf<{ line: HistoryRow }>(
        `select json_build_array(action, from_status, to_status, reason, round, actor_id) as line
         from kpi_evaluation_activity where evaluation_id = $1 order by id`,
        id,
      )
    ).map(({ line }) => line);
  const notificationsOf = async (id: number): Promise<NotificationRow[]> =>
    (
      await rowsOf<{ line: NotificationRow }>(
        `select json_build_array(event, variant, user_id) as line from notifications
         where subject_type = 'kpi_evaluation' and subject_id = $1 order by id`,
        id,
      )
    ).map(({ line }) => line);
  const snapshotsOf = async (id: number) =>
    (
      await rowsOf<{ snapshot: Row }>(
        `select snapshot from kpi_evaluation_activity where evaluation_id = $1 and snapshot is not null order by id`,
        id,
      )
    ).map(({ snapshot }) => snapshot);

  /** The evaluation, its items, its history, and the number of notifications and audit rows. */
  const state = async (id: number) => ({
    row: await rowOf(id),
    items: await itemsOf(id),
    trail: await historyOf(id),
    ...(
      await owner.query<Row>(
        `select (select count(*) from audit_log) as audited, (select count(*) from notifications) as told,
                (select count(*) from kpi_evaluation_activity) as trail_rows,
                (select count(*) from kpi_evaluations) as evaluations`,
      )
    ).rows[0],
  });

  /** Runs a step that must be refused, and checks that it changed nothing. */
  async function unchanged(id: number, work: () => Promise<void>) {
    const before = await state(id);
    await work();
    expect(await state(id)).toEqual(before);
  }

  return { rowOf, itemsOf, historyOf, notificationsOf, snapshotsOf, unchanged, state };
}
