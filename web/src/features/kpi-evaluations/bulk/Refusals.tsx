import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { evaluationBulk, type EvaluationBulkRow } from '@tenure/contract';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';
import { allPages } from '../../../api/all-pages.ts';
import { call } from '../../../api/call.ts';
import { paths } from '../../../paths.ts';
import { csvOf } from '../../../ui/charts/csv.ts';
import { download } from '../../../ui/download.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import classes from './bulk.module.css';

type Row = Pick<EvaluationBulkRow, 'id' | 'label' | 'employee_number' | 'cycle'> & { reason: string | null };
type Props = {
  reasons: readonly { reason: string; count: number }[];
  rows: readonly Row[];
  /** The id of the run, from which all refused evaluations can be read. */
  run?: number;
};

/** The evaluations for which a step is impossible, grouped by reason, with links and as a file. */
export function Refusals({ reasons, rows, run }: Props) {
  const byReason = Map.groupBy(rows, ({ reason }) => reason);
  return (
    <div className={classes['groups']}>
      {reasons.map(({ reason, count }) => (
        <Group
          key={reason}
          title={reason}
          count={count}
          rows={byReason.get(reason) ?? []}
          isOpen={reasons.length === 1}
        />
      ))}
      <Save reasons={reasons} rows={rows.filter(({ reason }) => reason !== null)} {...(run !== undefined && { run })} />
    </div>
  );
}

/** Reads all refused evaluations of a run. */
function refusedIn(id: number): Promise<Row[]> {
  const query = { outcome: 'refused', per_page: 100 } as const;
  return allPages((page) => call(evaluationBulk.rows, { params: { id }, query: { ...query, page } }));
}

/** Saves the refused evaluations: all of a run; of an answer those that it names, which may be the first ones only. */
function Save({ reasons, rows, run }: Props) {
  const t = useTranslations('kpiEvaluationBulk');
  const total = reasons.reduce((sum, { count }) => sum + count, 0);
  const isWhole = rows.length >= total || run !== undefined;
  const save = useMutation<void, ApiError>({
    mutationFn: async () => {
      const refused = rows.length >= total || run === undefined ? rows : await refusedIn(run);
      const head = (['number', 'employee', 'cycle', 'reason'] as const).map((name) => t(`file.${name}`));
      const lines = refused.map(({ id, employee_number: number, label, cycle, reason }) => [
        number,
        label ?? t('unknown', { id }),
        cycle,
        reason,
      ]);
      download(new Blob([csvOf([head, ...lines])], { type: 'text/csv;charset=utf-8' }), `${t('file.name')}.csv`);
    },
  });
  if (rows.length === 0) return null;
  return (
    <div>
      <ErrorNotice error={save.error} />
      <Button
        variant="subtle"
        size="compact-md"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        {t(isWhole ? 'file.save' : 'file.saveFirst', { count: rows.length })}
      </Button>
    </div>
  );
}

type GroupProps = { title: string; count: number; rows: readonly Row[]; isOpen?: boolean };

/** The evaluations of a group that the answer names. */
export function Group({ title, count, rows, isOpen = false }: GroupProps) {
  const t = useTranslations('kpiEvaluationBulk');
  return (
    <details className={classes['group']} open={isOpen}>
      <summary>
        <span>{title}</span> <b className="numbers">{t('number', { count })}</b>
      </summary>
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <Named row={row} />
            {row.cycle !== null && <span className="muted"> {row.cycle}</span>}
          </li>
        ))}
        {count > rows.length && <li className="muted">{t('andMore', { count: count - rows.length })}</li>}
      </ul>
    </details>
  );
}

function Named({ row: { id, label } }: { row: Row }) {
  const t = useTranslations('kpiEvaluationBulk');
  if (label === null) return <span>{t('unknown', { id })}</span>;
  return (
    <Link to={paths.kpiEvaluation} params={{ id: String(id) }} target="_blank" className="record-link">
      <bdi>{label}</bdi>
    </Link>
  );
}
