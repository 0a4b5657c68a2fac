import { Button } from '@mantine/core';
import { kpiCycles, type KpiCycle } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { ForbiddenPage } from '../../../layout/ErrorPages.tsx';
import { paths } from '../../../paths.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { Message } from '../../../ui/Message.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { StepList } from '../../../ui/StepList.tsx';
import { SectionSkeleton } from '../SectionSkeleton.tsx';
import { cycleSteps, type CycleStep, type StepProps } from './steps.ts';

const DetailsStep = lazyPart(() => import('./DetailsStep.tsx'), 'DetailsStep');
const DepartmentsStep = lazyPart(() => import('./DepartmentsStep.tsx'), 'DepartmentsStep');
const TemplatesStep = lazyPart(() => import('./TemplatesStep.tsx'), 'TemplatesStep');
const DatesStep = lazyPart(() => import('./DatesStep.tsx'), 'DatesStep');
const ReviewStep = lazyPart(() => import('./ReviewStep.tsx'), 'ReviewStep');

const route = getRouteApi('/shell/kpi/cycles/new');

/** The wizard for a new cycle. From the first step on, the cycle is a stored draft that can be continued later. */
export function NewCyclePage() {
  const { cycle } = route.useSearch();
  const { can } = useSession();
  if (cycle !== undefined) return <StoredDraft key={cycle} id={cycle} />;
  return can('kpi-cycle.create') ? <Wizard cycle={undefined} /> : <ForbiddenPage />;
}

function StoredDraft({ id }: { id: number }) {
  const query = useQuery(load(kpiCycles.get, { params: { id } }));
  if (query.isPending) return <SectionSkeleton />;
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  return <Wizard cycle={query.data.data} />;
}

/** After publishing, only departments and their templates can be added. */
const stepsOf = (cycle: KpiCycle | undefined): readonly CycleStep[] =>
  cycle?.status === 'published' ? ['who', 'templates'] : cycleSteps;

function Wizard({ cycle }: { cycle: KpiCycle | undefined }) {
  const t = useTranslations('kpiCycles');
  const search = route.useSearch();
  const to = useStepNavigation(cycle);
  const steps = stepsOf(cycle);
  const wanted = cycle ? steps.find((step) => step === search.step) : 'details';
  const at = wanted ?? steps[0] ?? 'details';
  if (cycle && (cycle.status === 'closed' || cycle.allowed_actions.length === 0)) return <Closed cycle={cycle} />;
  const index = steps.indexOf(at);
  const after = (id: number, isLater: boolean) => to(id, isLater ? undefined : steps[index + 1]);
  return (
    <>
      <PageHeader title={cycle?.name ?? t('newTitle')} lead={t(cycle ? 'draftLead' : 'newLead')} />
      <Steps cycle={cycle} steps={steps} at={at} />
      <Suspense fallback={<SectionSkeleton />}>
        {cycle && at !== 'details' ? (
          <Step
            at={at}
            cycle={cycle}
            onBack={index > 0 ? () => to(cycle.id, steps[index - 1]) : undefined}
            onNext={() => after(cycle.id, false)}
            onLater={() => after(cycle.id, true)}
            isLast={index === steps.length - 1}
          />
        ) : (
          <DetailsStep key={cycle?.id} cycle={cycle} onSaved={({ id }, isLater) => after(id, isLater)} />
        )}
      </Suspense>
    </>
  );
}

/** Goes to a step of a draft, or to the page of the cycle after the last step. */
function useStepNavigation(cycle: KpiCycle | undefined) {
  const navigate = route.useNavigate();
  return (id: number, step: CycleStep | undefined) =>
    void (step
      ? navigate({ search: { cycle: id, step }, replace: cycle === undefined, ignoreBlocker: true })
      : navigate({
          to: paths.kpiCycle,
          params: { id: String(id) },
          search: cycle?.status === 'published' ? { tab: 'departments' } : {},
          ignoreBlocker: true,
        }));
}

type StepsProps = { cycle: KpiCycle | undefined; steps: readonly CycleStep[]; at: CycleStep };

function Steps({ cycle, steps, at }: StepsProps) {
  const t = useTranslations('kpiCycles');
  return (
    <StepList
      label={t('steps.label')}
      steps={steps.map((key) => ({ key, label: t(`steps.${key}`) }))}
      at={at}
      doneLabel={t('steps.done')}
      {...(cycle && {
        wrap: (step: CycleStep, content: ReactNode) => (
          <Link to={paths.newKpiCycle} search={{ cycle: cycle.id, step }}>
            {content}
          </Link>
        ),
      })}
    />
  );
}

function Step({ at, ...props }: StepProps & { at: CycleStep }) {
  switch (at) {
    case 'who':
      return <DepartmentsStep {...props} />;
    case 'templates':
      return <TemplatesStep {...props} />;
    case 'dates':
      return <DatesStep {...props} />;
    default:
      return <ReviewStep {...props} />;
  }
}

function Closed({ cycle: { id, name } }: { cycle: KpiCycle }) {
  const t = useTranslations('kpiCycles');
  const go = (
    <Button
      renderRoot={(props) => <Link {...props} to={paths.kpiCycle} params={{ id: String(id) }} />}
      variant="default"
    >
      {t('toCycle')}
    </Button>
  );
  return (
    <Message page title={name} actions={go}>
      {t('notDraft')}
    </Message>
  );
}
