import { Checkbox } from '@mantine/core';
import type { Replacement } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Message } from '../../../ui/Message.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { EvaluationStatus } from '../../../workflow/EvaluationStatus.tsx';
import classes from './mend.module.css';

type Props = {
  rows: readonly Replacement[];
  total: number;
  ticked: readonly number[];
  busy: boolean;
  onChange: (ticked: readonly number[]) => void;
};

const tones = { replaced: 'good', cancelled: 'danger', kept: 'info' } as const;

/** Each evaluation with its outcome; those that would be kept can be ticked to be replaced too. */
export function Replacements({ rows, total, ticked, busy, onChange }: Props) {
  const t = useTranslations('kpiCycleMend');
  if (rows.length === 0) return <Message title={t('nobody')}>{t('nobodyText')}</Message>;
  const toggle = (id: number, on: boolean) => onChange(on ? [...ticked, id] : ticked.filter((one) => one !== id));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard
    <section className={classes['scroll']} aria-label={t('rows')} aria-busy={busy || undefined} tabIndex={0}>
      <table className={classes['rows']}>
        <thead>
          <tr>
            <th scope="col">{t('employee')}</th>
            <th scope="col">{t('outcome')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.evaluation_id}>
              <th scope="row">
                <bdi>{row.employee?.name ?? t('unknown', { id: row.evaluation_id })}</bdi>
                {row.employee && <span className="muted numbers">{row.employee.employee_number}</span>}
                <span className="muted">
                  <EvaluationStatus status={row.status} />
                </span>
              </th>
              <td>
                <StatusBadge tone={tones[row.outcome]} label={t(`outcomes.${row.outcome}`)} />
                {row.reason !== null && <p>{row.reason}</p>}
                {row.can_be_replaced && (
                  <Checkbox
                    label={t(row.has_begun ? 'cancelToo' : 'replaceToo')}
                    aria-label={t(row.has_begun ? 'cancelTooOf' : 'replaceTooOf', { name: row.employee?.name ?? '' })}
                    checked={ticked.includes(row.evaluation_id)}
                    disabled={busy}
                    onChange={(event) => toggle(row.evaluation_id, event.currentTarget.checked)}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {total > rows.length && <p className="muted">{t('more', { count: total - rows.length })}</p>}
    </section>
  );
}
