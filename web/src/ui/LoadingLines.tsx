import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';

type Props = {
  lines: number;
  /** A placeholder of another shape above the lines. */
  children?: ReactNode;
};

/** The placeholder of a page or a part of it that is loading. */
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
