import { Button } from '@mantine/core';
import { IconChartBar, IconDownload, IconTable } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { DataTable, type Column } from '../DataTable.tsx';
import { download } from '../download.ts';
import classes from './charts.module.css';
import { csvOf } from './csv.ts';

/** Wraps a number in a link to what it counts. */
export type LinkWrapper = (text: ReactNode) => ReactNode;

/** A row of a chart's table. */
export type ChartRow = {
  key: string | number;
  label: string;
  values: readonly (number | null)[];
  /** The links of the numbers, by column. */
  linkTo?: readonly (LinkWrapper | undefined)[];
};
export type ChartTable = { head: string; columns: readonly string[]; rows: readonly ChartRow[] };

type Props = {
  title: string;
  /** The main finding, in one sentence. */
  takeaway: string;
  table: ChartTable;
  /** The name of the CSV file; without it no download is offered. */
  file?: string | undefined;
  /** There is no chart, only the table. */
  tableOnly?: true;
  children?: ReactNode;
};

/** A chart with its main finding, a table with the same data, and a CSV file. */
export function Chart({ title, takeaway, table, file, tableOnly, children }: Props) {
  const t = useTranslations('chart');
  const [asTable, setAsTable] = useState(false);
  const Icon = asTable ? IconChartBar : IconTable;
  return (
    <section className={classes['chart']} aria-label={title}>
      <div className={classes['head']}>
        <h2>{title}</h2>
        {!tableOnly && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<Icon size={15} aria-hidden />}
            aria-label={t(asTable ? 'asChartOf' : 'asTableOf', { title })}
            onClick={() => setAsTable(!asTable)}
          >
            {t(asTable ? 'asChart' : 'asTable')}
          </Button>
        )}
        {file !== undefined && <CsvButton title={title} table={table} file={file} />}
      </div>
      <p className="muted">{takeaway}</p>
      {asTable || tableOnly ? <Numbers title={title} table={table} /> : children}
    </section>
  );
}

function CsvButton({ title, table, file }: Pick<Props, 'title' | 'table'> & { file: string }) {
  const t = useTranslations('chart');
  const save = () => {
    const rows = table.rows.map(({ label, values }) => [label, ...values]);
    const text = csvOf([[table.head, ...table.columns], ...rows]);
    download(new Blob([text], { type: 'text/csv' }), `${file}.csv`);
  };
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      leftSection={<IconDownload size={15} aria-hidden />}
      aria-label={t('csvOf', { title })}
      onClick={save}
    >
      {t('csv')}
    </Button>
  );
}

function Numbers({ title, table }: { title: string; table: ChartTable }) {
  const t = useTranslations('chart');
  const format = useFormatter();
  const cell = (row: ChartRow, index: number) => {
    const value = row.values[index] ?? null;
    if (value === null) return <span className="muted">–</span>;
    const text = <span className="numbers">{format.number(value)}</span>;
    return row.linkTo?.[index]?.(text) ?? text;
  };
  const columns: Column<ChartRow>[] = [
    { id: 'label', header: table.head, cell: ({ label }) => <bdi>{label}</bdi> },
    ...table.columns.map((header, index): Column<ChartRow> => ({
      id: String(index),
      header,
      cell: (row) => cell(row, index),
    })),
  ];
  return (
    <DataTable
      compact
      label={t('asTableOf', { title })}
      columns={columns}
      rows={table.rows}
      rowKey={({ key }) => key}
    />
  );
}
