import { ActionIcon, NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import classes from './Pager.module.css';

export type PageMeta = {
  current_page: number;
  last_page: number;
  from: number;
  to: number;
  total: number;
  per_page: number;
};

const sizes = [15, 30, 50, 100];

type Props = { meta: PageMeta; onPage: (page: number) => void; onSize?: (size: number) => void };

/** Where in a list the reader is, and the way to its other pages. */
export function Pager({ meta, onPage, onSize }: Props) {
  const t = useTranslations('table');
  const { current_page: page, last_page: last } = meta;
  const steps = [
    { to: 1, label: t('firstPage'), Icon: IconChevronsLeft, off: page <= 1 },
    { to: page - 1, label: t('previousPage'), Icon: IconChevronLeft, off: page <= 1 },
    { to: page + 1, label: t('nextPage'), Icon: IconChevronRight, off: page >= last },
    { to: last, label: t('lastPage'), Icon: IconChevronsRight, off: page >= last },
  ];
  const buttons = steps.map(({ to, label, Icon, off }) => (
    <ActionIcon key={label} variant="default" size={34} aria-label={label} disabled={off} onClick={() => onPage(to)}>
      <Icon size={16} className="directional" aria-hidden />
    </ActionIcon>
  ));
  return (
    <nav className={classes['pager']} aria-label={t('pages')}>
      <span className="numbers">
        <bdi>{t('range', { from: meta.from, to: meta.to, total: meta.total })}</bdi>
      </span>
      {onSize && (
        <label className={classes['size']}>
          <span>{t('perPage')}</span>
          <NativeSelect
            size="xs"
            data={sizes.map(String)}
            value={String(meta.per_page)}
            onChange={(event) => onSize(Number(event.currentTarget.value))}
          />
        </label>
      )}
      <span className={classes['space']} />
      {last > 1 && (
        <>
          {buttons.slice(0, 2)}
          <span className={`numbers ${classes['place']}`}>
            <bdi>{t('place', { page, last })}</bdi>
          </span>
          {buttons.slice(2)}
        </>
      )}
    </nav>
  );
}
