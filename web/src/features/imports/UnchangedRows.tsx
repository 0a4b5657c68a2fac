import type { Import } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Notice } from '../../ui/Notice.tsx';
import { useImportKind, type Undoable } from './kinds.ts';
import { Reasons } from './Reasons.tsx';

/** The rows that the last undo left unchanged, with the reasons, for the user who started it. */
export function UnchangedRows({ found: { kept_count: count, kept_rows: rows } }: { found: Import }) {
  const t = useTranslations('imports');
  const { type } = useImportKind();
  if (count === 0) return null;
  return (
    <Notice>
      <p>{t('kept', { count })}</p>
      <Reasons
        texts={rows.map(({ row, reason }) =>
          reason === null
            ? t('keptRow', { row })
            : reason === 'changed_since'
              ? t(`${type as Undoable}.changedSince`, { row })
              : t(`keptBecause.${reason}`, { row }),
        )}
      />
      {count > rows.length && <p>{t('keptMore', { count: count - rows.length })}</p>}
    </Notice>
  );
}
