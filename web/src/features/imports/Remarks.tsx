import type { StagedRow } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { isImportField, plainField } from './fields.ts';
import classes from './RowGrid.module.css';
import { useFieldName } from './use-field-name.ts';

const plain = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) || '–' : '–';

/** Errors that belong to no shown cell, warnings, and what an update changes. */
export function Remarks({ row, fields }: { row: StagedRow; fields: readonly string[] }) {
  const t = useTranslations('imports');
  const names = useFieldName();
  const errors = Object.entries(row.errors).filter(([field]) => !fields.includes(plainField(field)));
  const warnings = Object.values(row.warnings).flat();
  const changes = Object.entries(row.changes ?? {});
  return (
    <ul className={classes['remarks']}>
      {errors
        .flatMap(([, messages]) => messages)
        .map((text) => (
          <li key={text} data-kind="error">
            {text}
          </li>
        ))}
      {warnings.map((text) => (
        <li key={text} data-kind="warning">
          <span className="visually-hidden">{t('warning')} </span>
          {text}
        </li>
      ))}
      {changes.map(([field, { from, to }]) => (
        <li key={field}>
          {isImportField(field) ? names(field) : field}: <bdi>{plain(from)}</bdi> → <bdi>{plain(to)}</bdi>
        </li>
      ))}
    </ul>
  );
}
