import type { Notification } from '@tenure/contract';

/** What was told of one record, the latest first. */
export type Thread = { key: string; latest: Notification; earlier: Notification[] };

/** Rows of one record stand together, at the place of the latest; what is about no record stands by itself. */
export function bySubject(rows: readonly Notification[]): Thread[] {
  const threads = new Map<string, Thread>();
  for (const row of rows) {
    const { subject_type, subject_id } = row.data;
    const key = subject_id === null ? `one:${row.id}` : `${subject_type}:${subject_id}`;
    const thread = threads.get(key);
    if (thread) thread.earlier.push(row);
    else threads.set(key, { key, latest: row, earlier: [] });
  }
  return [...threads.values()];
}
