import { Box, Stack } from '@mantine/core';
import type { StagedRow } from '@tenure/contract';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { lazyPart } from '../../ui/lazy-part.ts';
import { plainField } from './fields.ts';

const RowChanges = lazyPart(() => import('./RowChanges.tsx'), 'RowChanges', 'person');

/** Errors outside the visible cells, warnings, and the changes of an update. */
export function Remarks({ row, fields }: { row: StagedRow; fields: readonly string[] }) {
  const t = useTranslations('imports');
  const errors = Object.entries(row.errors).filter(([field]) => !fields.includes(plainField(field)));
  const warnings = Object.values(row.warnings).flat();
  const { changes } = row;
  if (errors.length + warnings.length === 0 && Object.keys(changes ?? {}).length === 0) return null;
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
      {changes && (
        <Suspense>
          <RowChanges changes={changes} />
        </Suspense>
      )}
    </Stack>
  );
}
