import type { EvaluationBulkRow } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../../paths.ts';
import classes from './bulk.module.css';

type Row = Pick<EvaluationBulkRow, 'id' | 'label' | 'cycle'> & { reason: string | null };
type Props = { reasons: readonly { reason: string; count: number }[]; rows: readonly Row[] };

/** The evaluations that a step is not possible with, by reason, each with a link. */
export function Refusals({ reasons, rows }: Props) {
  const byReason = Map.groupBy(rows, ({ reason }) => reason);
  return (
    <div className={classes['groups']}>
      {reasons.map(({ reason, count }, index) => (
        <Group key={reason} title={reason} count={count} rows={byReason.get(reason) ?? []} isOpen={index === 0} />
      ))}
    </div>
  );
}

type GroupProps = { title: string; count: number; rows: readonly Row[]; isOpen?: boolean };

/** Evaluations under one heading, as far as the answer names them. */
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
