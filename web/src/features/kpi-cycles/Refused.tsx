import { Box } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** Why one department of several was refused. */
export function Refused({ name, reason }: { name: string; reason: string }) {
  const t = useTranslations('kpiCycles');
  return (
    <Box component="p" role="alert" c="var(--danger)" fz="sm">
      {t('refusedFor', { name, reason })}
    </Box>
  );
}
