import { Group, Stack } from '@mantine/core';
import type { StagedRow } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { rowName, plainField } from './fields.ts';
import { useImportKind } from './kinds.ts';
import classes from './RowGrid.module.css';
import type { RowColumns } from './use-row-columns.tsx';

/** A row on a phone: name and errors; all cells on request. */
export function RowCard({ row, columns }: { row: StagedRow; columns: RowColumns }) {
  const t = useTranslations('imports');
  const { nameFields, isGrouped } = useImportKind();
  const wrong = new Set(Object.keys(row.errors).map(plainField));
  const first = columns.cells.filter(({ id }) => wrong.has(id));
  const others = columns.cells.filter(({ id }) => !wrong.has(id));
  return (
    <Stack className={classes['card']} gap={8}>
      <Group justify="space-between" gap={10} wrap="nowrap">
        <span>
          <b>
            <bdi>{rowName(row, nameFields)}</bdi>
          </b>{' '}
          <span className="muted">
            {t('keptRow', { row: row.row })}
            {isGrouped && row.key !== null && <bdi style={{ display: 'block' }}>{row.key}</bdi>}
          </span>
        </span>
        {columns.state.cell(row)}
      </Group>
      <Cells row={row} cells={first} />
      {columns.remarks.cell(row)}
      <details>
        <summary>{t('otherCells', { count: others.length })}</summary>
        <Cells row={row} cells={others} />
      </details>
      <div>{columns.action.cell(row)}</div>
    </Stack>
  );
}

const Cells = ({ row, cells }: { row: StagedRow; cells: RowColumns['cells'] }) => (
  <dl className={classes['cardCells']}>
    {cells.map(({ id, header, cell }) => (
      <div key={id}>
        <dt>{header}</dt>
        <dd>{cell(row)}</dd>
      </div>
    ))}
  </dl>
);
