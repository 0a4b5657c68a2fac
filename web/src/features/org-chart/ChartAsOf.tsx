import { Box } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { AsOfNotice } from '../../ui/AsOfNotice.tsx';

/** Says that the chart is drawn as of a day, and chooses another one. */
export function ChartAsOf({ day, onDay }: { day: string; onDay: (day: string | undefined) => void }) {
  const t = useTranslations('asOf');
  return (
    <Box px="gutter" pb={12}>
      <AsOfNotice what="chart" day={day} onDay={onDay}>
        <p>{t('chart')}</p>
      </AsOfNotice>
    </Box>
  );
}
