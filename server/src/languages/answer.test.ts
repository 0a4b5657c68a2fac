import { AuditEntry, EvaluationActivity, JobHistoryRow, KpiEvaluation, ProbationActivity } from '@tenure/contract';
import { ProbationReview } from '@tenure/contract';
import type * as z from 'zod';
import { expect, test } from 'vitest';
import { ownReason, said } from './answer.ts';
import { speakerOf } from './spoken.ts';

test.each([
  [ownReason('reasons.employment_ends'), 'The employment ends.', 'Die Beschäftigung wurde beendet.'],
  [ownReason('reasons.handed_over'), 'Responsibilities were handed over.', 'Zuständigkeiten wurden übertragen.'],
  // as entries have it that are older than its key
  [
    'The account may do more than who linked it.',
    'The account may do more than who linked it.',
    'Das Konto darf mehr als die Person, die es verknüpft hat.',
  ],
])('%s', (reason, english, german) => {
  expect([reason, said('en', reason), said('de', reason)]).toEqual([english, english, german]);
});

test('a reason that a person wrote stays letter for letter, whatever it looks like', () => {
  for (const reason of ['reasons.handed_over', '{"key":"reasons.handed_over"}', 'the employment ends.', '{name}', ''])
    expect([said('en', reason), said('de', reason)]).toEqual([reason, reason]);
});

const reasonsOf: [string, z.ZodType, string[]][] = [
  [
    'a KPI evaluation',
    KpiEvaluation,
    ['skip_reason', 'return_reason', 'reopen_reason', 'close_reason', 'cancel_reason'],
  ],
  ['a probation review', ProbationReview, ['send_back_reason', 'cancel_reason', 'revert_reason']],
  ['the history of an evaluation', EvaluationActivity, ['reason']],
  ['the history of a review', ProbationActivity, ['reason']],
  ['the job history', JobHistoryRow, ['reason']],
  ['the audit log', AuditEntry, ['reason']],
];

test.each(reasonsOf)('the reasons of %s are read in the language of the reader', (_name, schema, fields) => {
  const given = Object.fromEntries(fields.map((name) => [name, ownReason('reasons.time_is_over')]));
  const spoken = speakerOf(schema)?.({ ...given, other: ownReason('reasons.time_is_over') }, (text) =>
    said('de', text),
  );
  const german = Object.fromEntries(fields.map((name) => [name, said('de', ownReason('reasons.time_is_over'))]));
  expect(spoken).toEqual({ ...german, other: 'The time for this step is over.' });
});
