import type { EvaluationBulkRow } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import classes from './bulk.module.css';

/** Each evaluation with what happens to it; those that cannot be changed first, with the reason. */
export function BulkRows({ rows }: { rows: readonly EvaluationBulkRow[] }) {
  const t = useTranslations('kpiEvaluationBulk');
  const place = ({ outcome }: EvaluationBulkRow) => (outcome === 'refused' ? 0 : 1);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard
    <section className={classes['scroll']} aria-label={t('rows')} tabIndex={0}>
      <table className={classes['rows']}>
        <thead>
          <tr>
            <th scope="col">{t('employee')}</th>
            <th scope="col">{t('outcome')}</th>
          </tr>
        </thead>
        <tbody>
          {rows
            .toSorted((a, b) => place(a) - place(b))
            .map((row) => (
              <tr key={row.id}>
                <th scope="row">
                  <bdi>{row.label ?? t('unknown', { id: row.id })}</bdi>
                  {row.cycle !== null && <span className="muted">{row.cycle}</span>}
                </th>
                <td>
                  {row.outcome === 'changed' ? (
                    <StatusBadge tone="good" label={t('ready')} />
                  ) : (
                    <>
                      <StatusBadge tone="danger" label={t('refused')} />
                      <p>{row.reason}</p>
                    </>
                  )}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}
