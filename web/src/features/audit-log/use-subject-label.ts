import type { AuditEntry } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import { useRoleName } from '../../ui/role-name.ts';
import { useDayText } from '../../ui/use-day-text.ts';

type Subject = Pick<AuditEntry, 'subject_type' | 'subject_label'>;

/** The English label of a probation review, as the log stores it. Entries never change, so it is parsed here. */
const probation = /^(.+), probation until (\d{4}-\d{2}-\d{2})$/s;
const ofProbation: ReadonlySet<string> = new Set(['probation_review', 'probation_signature']);

/** The name of an entry's subject in the reader's language; null where the entry has none. */
export function useSubjectLabel(): (subject: Subject) => string | null {
  const t = useTranslations('auditLog');
  const format = useFormatter();
  const dayText = useDayText();
  const roleName = useRoleName();
  const month = (label: string) =>
    format.dateTime(new Date(`${label}-01T00:00:00Z`), { year: 'numeric', month: 'long', timeZone: 'UTC' });
  return ({ subject_type: type, subject_label: label }) => {
    if (label === null) return null;
    if (type === 'role') return roleName(label);
    if (type === 'audit_log' && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(label)) return month(label);
    // a letter by its kind; an export by its list, whose label is the file name
    const word = (type === 'export' ? label.replaceAll('-', '_') : label) as 'letter';
    if ((type === 'letter_template' || type === 'export') && t.has(`value.${word}`)) return t(`value.${word}`);
    const [, name, until] = (ofProbation.has(type) && probation.exec(label)) || [];
    if (name === undefined || until === undefined) return label;
    return t('probationUntil', { name, day: dayText(until) });
  };
}
