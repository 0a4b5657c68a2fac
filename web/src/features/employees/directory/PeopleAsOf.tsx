import { Box } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { AsOfNotice } from '../../../ui/AsOfNotice.tsx';
import type { Change } from '../search.ts';

type Props = { day: string; onChange: (change: Change) => void };

/** A notice that the directory is shown as of a day, with a way to change the day. */
export function PeopleAsOf({ day, onChange }: Props) {
  const t = useTranslations('asOf');
  return (
    <Box px="gutter" pb={12}>
      <AsOfNotice what="people" day={day} onDay={(as_of) => onChange({ as_of })}>
        <p>{t('people')}</p>
      </AsOfNotice>
    </Box>
  );
}
