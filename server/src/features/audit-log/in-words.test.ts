import type { AuditEntry } from '@tenure/contract';
import { expect, test } from 'vitest';
import { wordsOf } from './in-words.ts';

/** The words of entries that exports show. */

const entry = (fields: Partial<AuditEntry>): AuditEntry =>
  ({
    id: 1,
    action: 'employee.updated',
    actor: { user_id: null, employee_id: null, name: 'System' },
    subject_type: 'employee',
    subject_id: 1,
    subject_label: 'Ann Lee',
    changes: {},
    labels: {},
    ...fields,
  }) as AuditEntry;

test.each([
  ['letter_template', 'confirmation', 'Confirmation', 'Bestätigung'],
  ['audit_log', '2026-03', 'March 2026', 'März 2026'],
  ['audit_log', '2026-13', '2026-13', '2026-13'],
  ['employee', 'Ann Lee', 'Ann Lee', 'Ann Lee'],
])('the subject of a %s %s', (subject_type, subject_label, english, german) => {
  const shown = entry({ subject_type: subject_type as AuditEntry['subject_type'], subject_label });
  expect([wordsOf('en').subject(shown), wordsOf('de').subject(shown)]).toEqual([english, german]);
});

test.each([
  [{ from: false, to: true }, 'No → Yes', 'Nein → Ja'],
  [{ from: '[hidden]', to: null }, '(hidden) → (empty)', '(ausgeblendet) → (leer)'],
  [{ from: null, to: '[hidden]' }, '(hidden)', '(ausgeblendet)'],
])('a change of %j', (change, english, german) => {
  const shown = entry({ changes: { early_access: change } });
  expect([wordsOf('en').changes(shown), wordsOf('de').changes(shown)]).toEqual([
    `Early access: ${english}`,
    `Zugang vor dem Eintritt: ${german}`,
  ]);
});

test('a field that stays empty is no change', () => {
  expect(wordsOf('en').changes(entry({ changes: { grade: { from: null, to: '' } } }))).toBe('');
});

test('without an account it is the system that acted', () => {
  expect([wordsOf('en').actor(entry({})), wordsOf('de').actor(entry({}))]).toEqual([
    'Tenure (automatic)',
    'Tenure (automatisch)',
  ]);
});
