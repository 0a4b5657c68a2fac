import type { BulkRow, BulkState } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Day } from '../../../ui/Dates.tsx';
import { StatusBadge, type Tone } from '../../../ui/StatusBadge.tsx';
import classes from './bulk.module.css';

const tones: Record<BulkRow['outcome'], Tone> = { changed: 'good', unchanged: 'quiet', refused: 'danger' };
const order: Record<BulkRow['outcome'], number> = { refused: 0, changed: 1, unchanged: 2 };

/** Each person with old and new values; refused ones first, with the reason. */
export function BulkRows({ rows }: { rows: readonly BulkRow[] }) {
  const t = useTranslations('employees.bulk');
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard
    <section className={classes['scroll']} aria-label={t('rows')} tabIndex={0}>
      <table className={classes['rows']}>
        <thead>
          <tr>
            {(['person', 'before', 'after', 'outcome'] as const).map((name) => (
              <th key={name} scope="col">
                {t(`head.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows
            .toSorted((a, b) => order[a.outcome] - order[b.outcome])
            .map((row) => (
              <Row key={row.id} row={row} />
            ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ row }: { row: BulkRow }) {
  const t = useTranslations('employees.bulk');
  const remarks = [...Object.values(row.errors).flat(), ...row.warnings];
  return (
    <tr>
      <th scope="row">
        <bdi>{row.label ?? t('unknown', { id: row.id })}</bdi>
      </th>
      <td>
        <State state={row.before} />
      </td>
      <td>{row.outcome === 'changed' && <State state={row.after} />}</td>
      <td>
        <StatusBadge tone={tones[row.outcome]} label={t(`outcomes.${row.outcome}`)} />
        {remarks.map((text) => (
          <p key={text} className={classes['why']}>
            {text}
          </p>
        ))}
      </td>
    </tr>
  );
}

function State({ state }: { state: BulkState | null }) {
  const t = useTranslations('employees.bulk');
  const activity = useTranslations('activityStatus');
  if (!state) return null;
  const { entity, department, reporting_manager: manager, activity_status, effective_from } = state;
  return (
    <>
      {department && <div>{department.name}</div>}
      {entity && <div className="muted">{entity.name}</div>}
      {manager !== undefined && <div>{manager?.name ?? t('nobody')}</div>}
      {activity_status && <div>{activity(activity_status)}</div>}
      {effective_from && (
        <div className="muted">
          {t('since')} <Day value={effective_from} />
        </div>
      )}
    </>
  );
}
