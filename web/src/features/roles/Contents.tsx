import { Box } from '@mantine/core';
import type { PermissionRow } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import { usePermissionContents } from '../../ui/permission-contents.ts';

/** The fields that a permission shows, folded. */
export function Contents({ permission }: { permission: PermissionRow }) {
  const t = useTranslations('roles');
  const format = useFormatter();
  const fields = usePermissionContents()(permission);
  if (fields.length === 0) return null;
  return (
    <details className="muted">
      <Box component="summary" fz="sm" style={{ cursor: 'pointer' }}>
        {t('contents', { count: fields.length })}
      </Box>
      <Box fz="sm" maw="26rem" pb={6} style={{ whiteSpace: 'normal' }}>
        {format.list(fields)}
      </Box>
    </details>
  );
}
