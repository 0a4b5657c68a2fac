import { ActionIcon, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { BottomSheet } from './Sheet.tsx';
import { usePhone } from './use-phone.ts';

type Props = {
  /** How many of them are set. */
  count: number;
  children: ReactNode;
};

/** Filters of a list; on a phone, a button opens them in a sheet. */
export function FilterSheet({ count, children }: Props) {
  const t = useTranslations('filterSheet');
  const [open, sheet] = useDisclosure(false);
  const phone = usePhone();
  if (!phone) return children;
  return (
    <>
      <ActionIcon
        variant={count > 0 ? 'light' : 'default'}
        size={44}
        aria-label={count > 0 ? t('filtersCount', { count }) : t('filters')}
        onClick={sheet.open}
      >
        <IconFilter size={19} aria-hidden />
      </ActionIcon>
      <BottomSheet opened={open} onClose={sheet.close} title={t('filters')}>
        {children}
        <Button onClick={sheet.close}>{t('showResults')}</Button>
      </BottomSheet>
    </>
  );
}
