import type { KpiCycle, Preflight, PreflightFinding } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { paths } from '../../../paths.ts';
import classes from '../form.module.css';

type Props = { cycle: KpiCycle; preflight: Preflight; isStale?: boolean };

/** What publishing would do, what is in its way with the way to mend it, and who is left out. */
export function PreflightView({ cycle, preflight, isStale = false }: Props) {
  const t = useTranslations('kpiCycles');
  const { to_create: create, existing, notified, blockers, warnings } = preflight;
  return (
    <div className={classes['section']} aria-busy={isStale || undefined}>
      <div>
        <p className={classes['impact']}>{t('impact', { create, notified })}</p>
        <p className="muted">
          {t('noUndo')} {existing > 0 && t('existing', { count: existing })}
        </p>
      </div>
      <Findings cycle={cycle} title={t('blockers', { count: blockers.length })} findings={blockers} />
      <Findings cycle={cycle} title={t('warnings', { count: warnings.length })} findings={warnings} tone="warn" />
      <Excluded preflight={preflight} />
    </div>
  );
}

const most = 5;

type ListProps = { items: readonly { key: string; content: ReactNode }[] };

/** The first few, and the others on demand. */
function Few({ items }: ListProps) {
  const t = useTranslations('kpiCycles');
  const lines = (some: ListProps['items']) => (
    <ul>
      {some.map(({ key, content }) => (
        <li key={key}>{content}</li>
      ))}
    </ul>
  );
  return (
    <>
      {lines(items.slice(0, most))}
      {items.length > most && (
        <details>
          <summary>{t('more', { count: items.length - most })}</summary>
          {lines(items.slice(most))}
        </details>
      )}
    </>
  );
}

type FindingsProps = {
  cycle: KpiCycle;
  title: string;
  findings: readonly PreflightFinding[];
  tone?: 'warn' | 'danger';
};

function Findings({ cycle, title, findings, tone = 'danger' }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    <section className={classes['findings']} data-tone={tone}>
      <h3>{title}</h3>
      <Few
        items={findings.map((finding, place) => ({
          key: `${finding.code}-${finding.department_id}-${finding.employee?.id}-${place}`,
          content: (
            <>
              <span>{finding.message}</span>
              <Mend cycle={cycle} finding={finding} />
            </>
          ),
        }))}
      />
    </section>
  );
}

/** Where something that is in the way can be mended. */
function Mend({
  cycle: { id, status },
  finding: { code, department_id, employee },
}: {
  cycle: KpiCycle;
  finding: PreflightFinding;
}) {
  const t = useTranslations('kpiCycles.mend');
  const step = (name: 'who' | 'templates' | 'dates') => (
    <Link to={paths.newKpiCycle} search={{ cycle: id, step: name }}>
      {t(name)}
    </Link>
  );
  switch (code) {
    case 'no_departments':
    case 'nobody_eligible':
    case 'other_company':
      return step('who');
    case 'no_template':
    case 'template_not_active':
      return step('templates');
    case 'no_reviewer':
      return employee ? (
        <Link to={paths.employee} params={{ id: String(employee.id) }} search={{ do: 'job' }}>
          {t('person')}
        </Link>
      ) : null;
    case 'manager_without_permission':
      return department_id === null ? null : (
        <Link to={paths.department} params={{ id: String(department_id) }}>
          {t('department')}
        </Link>
      );
    case 'window_passed':
      return status === 'draft' ? (
        step('dates')
      ) : (
        <Link to={paths.kpiCycle} params={{ id: String(id) }} search={{ do: 'edit' }}>
          {t('dates')}
        </Link>
      );
  }
}

function Excluded({ preflight: { excluded, excluded_count: count } }: { preflight: Preflight }) {
  const t = useTranslations('kpiCycles');
  if (count === 0) return null;
  return (
    <details className={classes['findings']} data-tone="quiet">
      <summary>{t('excluded', { count })}</summary>
      <ul>
        {excluded.map(({ employee, reason }) => (
          <li key={employee.id}>
            <Link to={paths.employee} params={{ id: String(employee.id) }}>
              <bdi>{employee.name}</bdi>
            </Link>
            <span className="muted">{t(`excludedFor.${reason}`)}</span>
          </li>
        ))}
      </ul>
      {count > excluded.length && <p className="muted">{t('more', { count: count - excluded.length })}</p>}
    </details>
  );
}
