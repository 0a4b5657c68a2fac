import { Box, Stack } from '@mantine/core';
import type { StagedRow } from '@tenure/contract';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { lazyPart } from '../../ui/lazy-part.ts';
import { isImportField, plainField } from './fields.ts';
import { useFieldName } from './use-field-name.ts';

const RoleNames = lazyPart(() => import('./RoleNames.tsx'), 'RoleNames');

const plain = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) || '–' : '–';

/** One side of a change. */
const Side = ({ field, value }: { field: string; value: unknown }) => (
  <bdi>
    {field === 'role' && typeof value === 'string' ? (
      <Suspense fallback={value}>
        <RoleNames written={value} />
      </Suspense>
    ) : (
      plain(value)
    )}
  </bdi>
);

/** Errors outside the visible cells, warnings, and the changes of an update. */
export function Remarks({ row, fields }: { row: StagedRow; fields: readonly string[] }) {
  const t = useTranslations('imports');
  const names = useFieldName();
  const errors = Object.entries(row.errors).filter(([field]) => !fields.includes(plainField(field)));
  const warnings = Object.values(row.warnings).flat();
  const changes = Object.entries(row.changes ?? {});
  if (errors.length + warnings.length + changes.length === 0) return null;
  return (
    <Stack
      gap={2}
      miw="17rem"
      py={6}
      fz={12.5}
      lh={1.4}
      style={{ whiteSpace: 'normal' }}
      renderRoot={(props) => <ul {...props} />}
    >
      {errors
        .flatMap(([, messages]) => messages)
        .map((text) => (
          <Box key={text} component="li" c="var(--danger)">
            {text}
          </Box>
        ))}
      {warnings.map((text) => (
        <Box key={text} component="li" c="var(--warn-fg)">
          <span className="visually-hidden">{t('warning')} </span>
          {text}
        </Box>
      ))}
      {changes.map(([field, { from, to }]) => (
        <li key={field}>
          {isImportField(field) ? names(field) : field}: <Side field={field} value={from} /> →{' '}
          <Side field={field} value={to} />
        </li>
      ))}
    </Stack>
  );
}
