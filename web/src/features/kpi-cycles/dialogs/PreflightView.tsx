import { Box, Flex, Stack, Title } from '@mantine/core';
import type { KpiCycle, Preflight, PreflightFinding } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { paths } from '../../../paths.ts';
import { usePercent } from '../../../ui/use-percent.ts';
import classes from '../form.module.css';

type Props = { cycle: KpiCycle; preflight: Preflight; isStale?: boolean };

/** The effect of publishing, the problems that block it with links to fix them, and excluded people. */
export function PreflightView({ cycle, preflight, isStale = false }: Props) {
  const t = useTranslations('kpiCycles');
  const { to_create: create, existing, notified, blockers, warnings } = preflight;
  return (
    <Stack gap={12} aria-busy={isStale || undefined}>
      <div>
        <Box component="p" fz="lg" fw={550} lh={1.45}>
          {t('impact', { create, notified })}
        </Box>
        <p className="muted">
          {t('noUndo')} {existing > 0 && t('existing', { count: existing })}
        </p>
      </div>
      <Findings cycle={cycle} title={t('blockers', { count: blockers.length })} findings={blockers} />
      <Findings cycle={cycle} title={t('warnings', { count: warnings.length })} findings={warnings} tone="warn" />
      <HighestResults templates={preflight.templates} />
      <NewlyEligible cycle={cycle} preflight={preflight} />
      <Excluded preflight={preflight} />
    </Stack>
  );
}

function HighestResults({ templates }: Pick<Preflight, 'templates'>) {
  const t = useTranslations('kpiCycles');
  const percent = usePercent(2);
  if (templates.length === 0) return null;
  const named = templates.map(({ name, highest_pct }) => t('highestOf', { name, percent: percent(highest_pct) }));
  return <p className="muted">{t('highestResults', { templates: named.join(', ') })}</p>;
}

const most = 5;
const box = { px: 14, py: 12, bdrs: 10, fz: '0.8438rem', lh: 1.45 };

type ListProps = { items: readonly { key: string; content: ReactNode }[] };

/** The first few entries, and the others on request. */
function FirstItems({ items }: ListProps) {
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
    <Flex
      component="section"
      direction="column"
      className={classes['findings']}
      gap={6}
      {...box}
      bg={`var(--${tone}-bg)`}
    >
      <Title order={3} fz="md">
        {title}
      </Title>
      <FirstItems
        items={findings.map((finding, index) => ({
          key: `${finding.code}-${finding.department_id}-${finding.employee?.id}-${index}`,
          content: (
            <>
              <span>{finding.message}</span>
              <FixLink cycle={cycle} finding={finding} />
            </>
          ),
        }))}
      />
    </Flex>
  );
}

type FixLinkProps = { cycle: KpiCycle; finding: PreflightFinding };

/** A link to where a problem can be fixed. */
function FixLink({ cycle, finding: { code, department_id, employee } }: FixLinkProps) {
  const t = useTranslations('kpiCycles.mend');
  switch (code) {
    case 'no_departments':
    case 'nobody_eligible':
    case 'other_company':
      return <StepLink cycle={cycle} step="who" />;
    case 'no_template':
    case 'template_not_active':
      return <StepLink cycle={cycle} step="templates" />;
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
      return <StepLink cycle={cycle} step="dates" />;
    case 'move_undecided':
      return (
        <Link to={paths.kpiCycle} params={{ id: String(cycle.id) }} search={{ tab: 'participants' }}>
          {t('moves')}
        </Link>
      );
    case 'highest_below_full':
      return null;
  }
}

/** Links to a step of a draft, or to the page of a published cycle for its dates. */
function StepLink({ cycle: { id, status }, step }: { cycle: KpiCycle; step: 'who' | 'templates' | 'dates' }) {
  const t = useTranslations('kpiCycles.mend');
  if (step === 'dates' && status !== 'draft')
    return (
      <Link to={paths.kpiCycle} params={{ id: String(id) }} search={{ do: 'edit' }}>
        {t('dates')}
      </Link>
    );
  return (
    <Link to={paths.newKpiCycle} search={{ cycle: id, step }}>
      {t(step)}
    </Link>
  );
}

/** The people whom publishing again would add, unless HR leaves them out. */
function NewlyEligible({ cycle, preflight: { newly_eligible: people, newly_eligible_count: count } }: Props) {
  const t = useTranslations('kpiCycles');
  if (count === 0) return null;
  return (
    <Box component="details" className={classes['findings']} {...box} bg="var(--sunken)">
      <summary>{t('newlyEligible', { count })}</summary>
      <ul>
        {people.map(({ employee }) => (
          <li key={employee.id}>
            <Link to={paths.employee} params={{ id: String(employee.id) }}>
              <bdi>{employee.name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      {count > people.length && <p className="muted">{t('more', { count: count - people.length })}</p>}
      <Link to={paths.kpiCycle} params={{ id: String(cycle.id) }} search={{ tab: 'eligible' }}>
        {t('decideEach')}
      </Link>
    </Box>
  );
}

function Excluded({ preflight: { excluded, excluded_count: count } }: { preflight: Preflight }) {
  const t = useTranslations('kpiCycles');
  if (count === 0) return null;
  return (
    <Box component="details" className={classes['findings']} {...box} bg="var(--sunken)">
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
    </Box>
  );
}
