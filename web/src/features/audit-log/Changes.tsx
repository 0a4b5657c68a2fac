import type { AuditEntry } from '@tenure/contract';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useAuditLabels } from '../../ui/audit-labels.ts';
import { Value } from './Value.tsx';
import { ChangedFields } from '../../ui/AuditCells.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';

const PermissionChange = lazyPart(() => import('./PermissionChange.tsx'), 'PermissionChange', 'permissions');

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

/** The changed fields of an entry with old and new values. */
export function Changes({ entry }: { entry: AuditEntry }) {
  const labels = useAuditLabels();
  const fields = Object.entries(entry.changes).filter(([, { from, to }]) => !isEmpty(from) || !isEmpty(to));
  if (fields.length === 0) return <span className="muted">–</span>;
  return (
    <ChangedFields>
      {fields.map(([field, change]) => (
        <li key={field}>
          <span className="muted">{labels.field(field, entry.subject_type)}:</span>{' '}
          {field === 'permissions' ? (
            <Suspense>
              <PermissionChange from={change.from} to={change.to} />
            </Suspense>
          ) : (
            <FromTo field={field} from={change.from} to={change.to} names={entry.labels[field]} />
          )}
        </li>
      ))}
    </ChangedFields>
  );
}

type FromToProps = { field: string; from: unknown; to: unknown; names: Readonly<Record<string, string>> | undefined };

function FromTo({ field, from, to, names }: FromToProps) {
  const t = useTranslations('auditLog');
  return (
    <>
      {!isEmpty(from) && (
        <>
          <Value field={field} value={from} names={names} />
          <span aria-hidden> → </span>
          <span className="visually-hidden"> {t('became')} </span>
        </>
      )}
      {isEmpty(to) ? <span className="muted">{t('nothing')}</span> : <Value field={field} value={to} names={names} />}
    </>
  );
}
