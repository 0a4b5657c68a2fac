import { ActionIcon, Box, Flex, NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { usePhone } from './use-phone.ts';

export type PageMeta = {
  current_page: number;
  last_page: number;
  from: number;
  to: number;
  total: number;
  per_page: number;
};

const sizes = [15, 30, 50, 100];

type Props = {
  meta: PageMeta;
  onPage: (page: number) => void;
  onSize?: (size: number) => void;
  /** The name of the pages, if the screen has several lists. */
  label?: string;
};

/** The position in a list and links to its other pages. */
export function Pager({ meta, onPage, onSize, label }: Props) {
  const t = useTranslations('table');
  const phone = usePhone();
  return (
    <Flex
      component="nav"
      data-pages
      aria-label={label ?? t('pages')}
      wrap="wrap"
      align="center"
      gap={8}
      mih={54}
      px="gutter"
      py={phone ? 8 : 10}
      fz="sm"
      {...(phone && { style: { borderBlockStart: '1px solid var(--line)' } })}
    >
      <span className="numbers">
        <bdi>{t('range', { from: meta.from, to: meta.to, total: meta.total })}</bdi>
      </span>
      {onSize && !phone && <PageSize value={meta.per_page} onChange={onSize} />}
      <Box flex={1} />
      {meta.last_page > 1 && <PageButtons meta={meta} onPage={onPage} />}
    </Flex>
  );
}

function PageSize({ value, onChange }: { value: number; onChange: (size: number) => void }) {
  const t = useTranslations('table');
  return (
    <Flex component="label" align="center" gap={8} ms={14} c="var(--ink-2)" data-screen>
      <span>{t('perPage')}</span>
      <NativeSelect
        size="xs"
        data={sizes.map(String)}
        value={String(value)}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
    </Flex>
  );
}

function PageButtons({ meta: { current_page: page, last_page: last }, onPage }: Omit<Props, 'onSize'>) {
  const t = useTranslations('table');
  const steps = [
    { to: 1, label: t('firstPage'), Icon: IconChevronsLeft, off: page <= 1, end: true },
    { to: page - 1, label: t('previousPage'), Icon: IconChevronLeft, off: page <= 1 },
    { to: page + 1, label: t('nextPage'), Icon: IconChevronRight, off: page >= last },
    { to: last, label: t('lastPage'), Icon: IconChevronsRight, off: page >= last, end: true },
  ];
  const buttons = steps.map(({ to, label, Icon, off, end }) => (
    <ActionIcon
      key={label}
      variant="default"
      size={34}
      aria-label={label}
      disabled={off}
      data-end={end}
      onClick={() => onPage(to)}
    >
      <Icon size={16} className="directional" aria-hidden />
    </ActionIcon>
  ));
  return (
    <>
      {buttons.slice(0, 2)}
      <Box component="span" className="numbers" px={4}>
        <bdi>{t('place', { page, last })}</bdi>
      </Box>
      {buttons.slice(2)}
    </>
  );
}
