import { IconArrowsSort, IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import { Fragment, type ChangeEvent, type ComponentType, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import classes from './DataTable.module.css';
import { LayoutHold, useHeldPhone } from './held-layout.ts';

export type Sort = { by: string; direction: 'asc' | 'desc' };

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** The sort name of the service; without it the column is not sortable. */
  sortBy?: string;
  /** Hides the header visually, but not from assistive technology. */
  headerHidden?: boolean;
};

export type RowBoxProps = {
  'aria-label': string;
  checked: boolean;
  indeterminate?: boolean;
  disabled?: boolean;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
};

/** Rows are selectable; the screen holds the selection, since it may span pages. */
export type RowChoice<Row> = {
  /** `RowBox`; most tables have none, and do not load it. */
  Box: ComponentType<RowBoxProps>;
  /** The accessible name of a row's checkbox. */
  label: (row: Row) => string;
  isOn: (row: Row) => boolean;
  /** Can the row be chosen? Without it, all can. */
  isChoosable?: (row: Row) => boolean;
  onToggle: (rows: readonly Row[], on: boolean) => void;
};

type Props<Row> = {
  /** The accessible name of the table. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => number | string;
  /** The row in the list that replaces the table on a phone. */
  card?: (row: Row) => ReactNode;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  /** The rows belong to the previous query; new ones are loading. */
  stale?: boolean;
  compact?: boolean;
  choice?: RowChoice<Row>;
  /** The heading above consecutive rows that share this text. */
  groupOf?: ((row: Row) => string) | undefined;
  /** The content of that heading, if it is more than the text. */
  groupHead?: ((row: Row) => ReactNode) | undefined;
  /** The first column stays in place when the others scroll. */
  pinned?: boolean;
};

/** A native table with a sticky header; on a phone a list of cards. The service sorts and pages. */
export function DataTable<Row>(props: Props<Row>) {
  const { phone, hold } = useHeldPhone();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard
    <section className={classes['scroll']} aria-label={props.label} tabIndex={0}>
      <LayoutHold value={hold}>
        {phone && props.card ? <Cards {...props} card={props.card} /> : <Table {...props} />}
      </LayoutHold>
    </section>
  );
}

type CardsProps<Row> = Pick<Props<Row>, 'rows' | 'rowKey' | 'stale' | 'choice'> & { card: (row: Row) => ReactNode };

const Cards = <Row,>({ rows, rowKey, stale, choice, card }: CardsProps<Row>) => (
  <ul data-stale={stale || undefined}>
    {rows.map((row) => (
      <li key={rowKey(row)} className={classes['card']}>
        {choice ? (
          <div className={classes['choosable']}>
            <BoxOf row={row} choice={choice} />
            {card(row)}
          </div>
        ) : (
          card(row)
        )}
      </li>
    ))}
  </ul>
);

function Table<Row>(props: Props<Row>) {
  const { columns, rows, rowKey, sort, onSort, stale = false, compact, choice, pinned } = props;
  // Without a density of its own, the list has the user's default (data-density of the page).
  const density = compact === undefined ? undefined : compact ? 'compact' : 'comfortable';
  return (
    <table
      className={classes['table']}
      data-stale={stale || undefined}
      data-density={density}
      data-pin={pinned || undefined}
    >
      <thead>
        <tr>
          {choice && <AllBox rows={rows} choice={choice} />}
          {columns.map((column) => (
            <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <Fragment key={rowKey(row)}>
            <GroupRow {...props} row={row} before={rows[index - 1]} />
            <BodyRow row={row} columns={columns} choice={choice} />
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

type BodyRowProps<Row> = { row: Row; columns: readonly Column<Row>[]; choice: RowChoice<Row> | undefined };

const BodyRow = <Row,>({ row, columns, choice }: BodyRowProps<Row>) => (
  <tr data-chosen={choice?.isOn(row) || undefined}>
    {choice && (
      <td className={classes['box']}>
        <BoxOf row={row} choice={choice} />
      </td>
    )}
    {columns.map((column) => (
      <td key={column.id}>{column.cell(row)}</td>
    ))}
  </tr>
);

const BoxOf = <Row,>({ row, choice }: { row: Row; choice: RowChoice<Row> }) => (
  <choice.Box
    aria-label={choice.label(row)}
    checked={choice.isOn(row)}
    disabled={choice.isChoosable?.(row) === false}
    onChange={(event) => choice.onToggle([row], event.currentTarget.checked)}
  />
);

function AllBox<Row>({ rows, choice }: { rows: readonly Row[]; choice: RowChoice<Row> }) {
  const t = useTranslations('table');
  const open = rows.filter((row) => choice.isChoosable?.(row) !== false);
  const chosen = open.filter(choice.isOn).length;
  return (
    <th scope="col" className={classes['box']}>
      <choice.Box
        aria-label={t('choosePage')}
        checked={chosen > 0 && chosen === open.length}
        indeterminate={chosen > 0 && chosen < open.length}
        disabled={open.length === 0}
        onChange={(event) => choice.onToggle(open, event.currentTarget.checked)}
      />
    </th>
  );
}

type GroupProps<Row> = Pick<Props<Row>, 'columns' | 'choice' | 'groupOf' | 'groupHead'> & {
  row: Row;
  before: Row | undefined;
};

function GroupRow<Row>({ columns, choice, groupOf, groupHead, row, before }: GroupProps<Row>) {
  if (!groupOf || (before !== undefined && groupOf(before) === groupOf(row))) return null;
  return (
    <tr className={classes['group']}>
      <th scope="rowgroup" colSpan={columns.length + (choice ? 1 : 0)}>
        {groupHead ? groupHead(row) : groupOf(row)}
      </th>
    </tr>
  );
}

type HeaderProps<Row> = { column: Column<Row>; sort: Sort | undefined; onSort: ((sort: Sort) => void) | undefined };

function HeaderCell<Row>({ column, sort, onSort }: HeaderProps<Row>) {
  const t = useTranslations('table');
  const { header, sortBy, headerHidden } = column;
  if (sortBy === undefined || !onSort) {
    return (
      <th scope="col">
        <span className={headerHidden ? 'visually-hidden' : undefined}>{header}</span>
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
