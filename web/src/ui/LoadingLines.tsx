import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';

type Props = {
  lines: number;
  /** Above the lines, where the page has something of another shape. */
  children?: ReactNode;
};

/** Stands where a page or a part of it will be. */
export function LoadingLines({ lines, children }: Props) {
  const t = useTranslations('table');
  return (
    <Stack gap={18} px="gutter" py={24}>
      <output className="visually-hidden">{t('loading')}</output>
      {children}
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={line === 0 ? 20 : 12} width={`${30 + ((line * 11) % 35)}%`} />
      ))}
    </Stack>
  );
}
