import { expect, test } from 'vitest';
import type { Notification } from '@tenure/contract';
import { bySubject } from './by-subject.ts';

const row = (id: number, subject_id: number | null, subject_type = 'kpi_evaluation') =>
  ({ id, data: { subject_type, subject_id, url: '/', actor_id: null } }) as Notification;

test('notifications about one record are grouped at the position of the latest', () => {
  const threads = bySubject([row(9, 1), row(8, 2), row(7, 1), row(6, 1, 'probation_review'), row(5, 1)]);
  expect(threads.map(({ latest, earlier }) => [latest.id, earlier.map(({ id }) => id)])).toEqual([
    [9, [7, 5]],
    [8, []],
    [6, []],
  ]);
});

test('a notification without a record is a group of its own', () => {
  expect(bySubject([row(2, null, 'account'), row(1, null, 'account')])).toHaveLength(2);
});
