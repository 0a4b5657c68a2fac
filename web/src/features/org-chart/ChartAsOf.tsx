import { Box } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { AsOfNotice } from '../../ui/AsOfNotice.tsx';

/** A notice that the chart is shown as of a day, with a way to change the day. */
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
