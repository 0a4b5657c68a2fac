import type { Notification } from '@tenure/contract';
import { expect, test } from 'vitest';
import { byEvent } from './by-event.ts';
import { bySubject } from './by-subject.ts';

const row = (id: number, event: string, subject_id = id) =>
  ({ id, event, data: { subject_type: 'employee', subject_id, url: '/', actor_id: null } }) as Notification;
const shown = (rows: Notification[]) =>
  byEvent(bySubject(rows)).map(({ event, threads }) => [event, threads.map(({ latest }) => latest.id)]);

test('three people or more in one event are one line, at the position of the latest', () => {
  const ending = 'probation_ending_reminder';
  expect(shown([row(9, ending), row(8, 'role_changed'), row(7, ending), row(6, ending)])).toEqual([
    [ending, [9, 7, 6]],
    [undefined, [8]],
  ]);
});

test('reminders of one person count once, and two people stay apart', () => {
  const ending = 'probation_ending_reminder';
  expect(shown([row(9, ending, 1), row(8, ending, 1), row(7, ending, 1), row(6, ending, 2)])).toEqual([
    [undefined, [9]],
    [undefined, [6]],
  ]);
});

test('events that ask each for an answer of its own stay apart', () => {
  expect(
    shown([row(3, 'kpi_evaluation_disputed'), row(2, 'kpi_evaluation_disputed'), row(1, 'kpi_evaluation_disputed')]),
  ).toHaveLength(3);
});
