import { ActionIcon } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { apiBase } from '../../../../api/base.ts';

/** Takes an evaluation out of the application: as PDF or on paper. */
export function ReadingActions({ id }: { id: number }) {
  const r = useTranslations('kpiEvaluationReading');
  return (
    <>
      <ActionIcon
        component="a"
        href={`${apiBase}/api/kpi-evaluations/${id}/pdf`}
        download
        variant="default"
        size={36}
        aria-label={r('pdf')}
        title={r('pdf')}
      >
        <IconDownload size={17} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="default" size={36} aria-label={r('print')} title={r('print')} onClick={() => print()}>
        <IconPrinter size={17} aria-hidden />
      </ActionIcon>
    </>
  );
}
