import type { AuditEntry } from '@tenure/contract';
import { text } from '@tenure/contract';
import type { ExportColumn } from '../../http/downloads.ts';
import { renderText } from '../../languages/answer.ts';
import type { LanguageId } from '../../languages/catalogue.ts';
import { wordsOf } from './in-words.ts';

/** The old value before the new one; jsonb does not preserve this order. */
const fromTo = (changes: AuditEntry['changes']) =>
  JSON.stringify(Object.fromEntries(Object.entries(changes).map(([field, { from, to }]) => [field, { from, to }])));

/** The columns of the file: keys for programs, words of the page for people. */
export function exportedColumns(language: LanguageId): ExportColumn<AuditEntry>[] {
  const words = wordsOf(language);
  const column = (
    header: 'at' | 'subject_id' | 'request_id' | 'ip',
    value: ExportColumn<AuditEntry>['value'],
  ): ExportColumn<AuditEntry> => ({ header, value, heading: text(`exports.audit.headings.${header}`) });
  const rendered = (
    header: 'actor' | 'action' | 'subject_type' | 'subject_label' | 'changes' | 'reason',
    value: ExportColumn<AuditEntry>['value'],
    read: ExportColumn<AuditEntry>['value'],
  ): ExportColumn<AuditEntry> => ({ header, value, read, heading: text(`exports.audit.headings.${header}`) });
  return [
    column('at', ({ at }) => at),
    rendered('actor', ({ actor }) => actor.name, words.actor),
    rendered('action', ({ action }) => action, words.action),
    rendered('subject_type', ({ subject_type }) => subject_type, words.subjectType),
    column('subject_id', ({ subject_id }) => subject_id),
    rendered('subject_label', ({ subject_label }) => subject_label, words.subject),
    rendered('changes', ({ changes }) => fromTo(changes), words.changes),
    rendered(
      'reason',
      ({ reason }) => reason,
      ({ reason }) => reason && renderText(language, reason),
    ),
    column('request_id', ({ request_id }) => request_id),
    column('ip', ({ ip }) => ip),
  ];
}
