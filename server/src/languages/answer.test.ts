import { AuditEntry, EvaluationActivity, JobHistoryRow, KpiEvaluation, ProbationActivity } from '@tenure/contract';
import { ProbationReview } from '@tenure/contract';
import type * as z from 'zod';
import { expect, test } from 'vitest';
import { ownReason, renderText } from './answer.ts';
import { rendererOf } from './render-answer.ts';

test.each([
  [ownReason('reasons.employment_ends'), 'The employment ends.', 'Die Beschäftigung wurde beendet.'],
  [
    ownReason('reasons.issuer_shut_out'),
    'The user who issued the password can no longer open the account.',
    'Die Person, die das Passwort erstellt hat, kann das Konto nicht mehr öffnen.',
  ],
  [ownReason('reasons.handed_over'), 'Responsibilities were reassigned.', 'Zuständigkeiten wurden übertragen.'],
  [
    ownReason('reasons.other_company'),
    'The person moved to another company.',
    'Die Person ist in ein anderes Unternehmen gewechselt.',
  ],
  [ownReason('reasons.emergency_account'), 'Chosen as an emergency account.', 'Als Notfallkonto festgelegt.'],
  [ownReason('reasons.receiver_gone'), 'The receiver answered 410.', 'Der Empfänger hat mit 410 geantwortet.'],
  [
    ownReason('reasons.receiver_failed'),
    'The receiver failed for five days.',
    'Beim Empfänger schlug fünf Tage lang jeder Versuch fehl.',
  ],
  [
    ownReason('reasons.imported', { id: 1234, file: 'people (2).csv' }),
    'Import 1234 (people (2).csv)',
    'Import 1234 (people (2).csv)',
  ],
  [
    ownReason('reasons.import_undone', { id: 1234, file: 'people (2).csv' }),
    'Undo of import 1234 (people (2).csv)',
    'Import 1234 (people (2).csv) rückgängig gemacht',
  ],
  [
    ownReason('reasons.moved_with_department', { department: '{name} & $1' }),
    'Moved with the department {name} & $1',
    'Mit der Abteilung {name} & $1 verschoben',
  ],
  // as in entries that are older than its key
  [
    'The account can do more than the person who linked it.',
    'The account can do more than the person who linked it.',
    'Das Konto darf mehr als die Person, die es verknüpft hat.',
  ],
])('%s', (reason, english, german) => {
  expect([reason, renderText('en', reason), renderText('de', reason)]).toEqual([english, english, german]);
});

test('a reason that an earlier version stored is read in the language of the reader', () => {
  const stored = 'Responsibilities were handed over.';
  expect([renderText('en', stored), renderText('de', stored)]).toEqual([
    'Responsibilities were reassigned.',
    'Zuständigkeiten wurden übertragen.',
  ]);
});

test('a reason that a person wrote stays letter for letter, whatever it looks like', () => {
  for (const reason of [
    'reasons.handed_over',
    '{"key":"reasons.handed_over"}',
    'the employment ends.',
    '{name}',
    '',
    'Undo of import x (y)',
    'Moved with the department',
  ])
    expect([renderText('en', reason), renderText('de', reason)]).toEqual([reason, reason]);
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
  const rendered = rendererOf(schema)?.({ ...given, other: ownReason('reasons.time_is_over') }, (text) =>
    renderText('de', text),
  );
  const german = Object.fromEntries(fields.map((name) => [name, renderText('de', ownReason('reasons.time_is_over'))]));
  expect(rendered).toEqual({ ...german, other: 'The time for this step is over.' });
});
