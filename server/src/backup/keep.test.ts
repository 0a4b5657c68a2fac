import { expect, test } from 'vitest';
import { backupsToKeep, parseKeep } from './keep.ts';

const idOf = (day: Temporal.PlainDate, hour = '02') => `${day.toString().replaceAll('-', '')}T${hour}1500Z-000000`;
const daily = (last: string, count: number) =>
  Array.from({ length: count }, (_, back) => idOf(Temporal.PlainDate.from(last).subtract({ days: back })));

test('the newest of each of the last days, weeks and months stays', () => {
  const ids = daily('2026-11-26', 120);
  const keep = backupsToKeep(ids, { days: 7, weeks: 4, months: 3 });
  expect([...keep].map((id) => id.slice(0, 8)).sort()).toEqual(
    // months: November is covered, then the last days of October and September; weeks end on Sundays
    [
      '20260930',
      '20261031',
      '20261108',
      '20261115',
      '20261120',
      '20261121',
      '20261122',
      '20261123',
      '20261124',
      '20261125',
      '20261126',
    ],
  );
});

const at = (day: string, hour: string) => idOf(Temporal.PlainDate.from(day), hour);

test('of several backups of a day the newest stays, and gaps do not count as days', () => {
  const [old, first, second, newest] = [
    at('2025-01-01', '02'),
    at('2026-11-23', '02'),
    at('2026-11-23', '14'),
    at('2026-11-26', '02'),
  ];
  expect([...backupsToKeep([old, first, second, newest], { days: 3, weeks: 0, months: 0 })]).toEqual([
    newest,
    second,
    old,
  ]);
});

test('all of the day before the newest stay', () => {
  const [old, first, second] = [at('2026-11-25', '14'), at('2026-11-26', '02'), at('2026-11-26', '14')];
  expect([...backupsToKeep([old, first, second], { days: 1, weeks: 0, months: 0 })]).toEqual([second, first]);
});

test('the newest backup always stays', () => {
  expect([...backupsToKeep(daily('2026-11-26', 3), { days: 0, weeks: 0, months: 1 })]).toHaveLength(1);
  expect([...backupsToKeep([], { days: 7, weeks: 4, months: 3 })]).toEqual([]);
});

test.each(['7d 4w 3m', '1m', ' 7d  3m '])('BACKUP_KEEP reads %j', (text) => expect(parseKeep(text)).toBeDefined());
test.each(['', '0d', '7', '7x', '7d,4w', '-1d', '7d 4w 3y'])('BACKUP_KEEP refuses %j', (text) =>
  expect(parseKeep(text)).toBeUndefined(),
);
