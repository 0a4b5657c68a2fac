import type { Notification } from '@tenure/contract';

/** Notifications about one record, latest first. */
export type Thread = { key: string; latest: Notification; earlier: Notification[] };

/** Groups notifications by record, at the position of the latest; one without a record is a group of its own. */
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
