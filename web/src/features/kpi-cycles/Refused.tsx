import { Box } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** The reason why a department was refused. */
export function Refused({ name, reason }: { name: string; reason: string }) {
  const t = useTranslations('kpiCycles');
  return (
    <Box component="p" role="alert" c="var(--danger)" fz="sm">
      {t('refusedFor', { name, reason })}
    </Box>
  );
}
