import { IconArrowsSort, IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import classes from './DataTable.module.css';
import { usePhone } from './use-phone.ts';

export type Sort = { by: string; direction: 'asc' | 'desc' };

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** The name the service orders by; without it the column cannot be sorted. */
  sortBy?: string;
  /** Hide the header from sight, not from assistive technology. */
  quietHeader?: boolean;
};

type Props<Row> = {
  /** What the table shows, for assistive technology. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => number | string;
  /** The row as an entry of the list that replaces the table on a phone. */
  card?: (row: Row) => ReactNode;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  /** The rows belong to an earlier question; newer ones are on their way. */
  stale?: boolean;
  compact?: boolean;
};

/** A native table with a sticky header; on a phone a list of cards. Order and paging are the service's. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowKey, card, sort, onSort, stale = false, compact = false } = props;
  const phone = usePhone();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section className={classes['scroll']} aria-label={label} tabIndex={0}>
      {phone && card ? (
        <ul data-stale={stale || undefined}>
          {rows.map((row) => (
            <li key={rowKey(row)} className={classes['card']}>
              {card(row)}
            </li>
          ))}
        </ul>
      ) : (
        <table className={classes['table']} data-stale={stale || undefined} data-compact={compact || undefined}>
          <thead>
            <tr>
              {columns.map((column) => (
                <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={rowKey(row)}>
                {columns.map((column) => (
                  <td key={column.id}>{column.cell(row)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

type HeaderProps<Row> = { column: Column<Row>; sort: Sort | undefined; onSort: ((sort: Sort) => void) | undefined };

function HeaderCell<Row>({ column, sort, onSort }: HeaderProps<Row>) {
  const t = useTranslations('table');
  const { header, sortBy, quietHeader } = column;
  if (sortBy === undefined || !onSort) {
    return (
      <th scope="col">
        <span className={quietHeader ? 'visually-hidden' : undefined}>{header}</span>
      </th>
    );
  }
  const direction = sort?.by === sortBy ? sort.direction : undefined;
  const Icon = direction === 'asc' ? IconSortAscending : direction === 'desc' ? IconSortDescending : IconArrowsSort;
  return (
    <th scope="col" aria-sort={direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : undefined}>
      <button
        type="button"
        className={classes['sort']}
        data-idle={direction === undefined || undefined}
        onClick={() => onSort({ by: sortBy, direction: direction === 'asc' ? 'desc' : 'asc' })}
      >
        {header}
        <Icon size={14} aria-hidden />
        <span className="visually-hidden">{t('sort')}</span>
      </button>
    </th>
  );
}
