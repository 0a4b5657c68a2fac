import { kpiCycles } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../../api/query.ts';
import { paths } from '../../../paths.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { DescriptionList } from '../../../ui/DescriptionList.tsx';
import { Days } from '../CycleProgress.tsx';
import { CycleRules } from '../CycleRules.tsx';
import { PreflightView } from '../dialogs/PreflightView.tsx';
import { SectionSkeleton } from '../SectionSkeleton.tsx';
import { StepBar } from './StepBar.tsx';
import type { StepProps } from './steps.ts';
import { StepLayout } from './StepLayout.tsx';

/** The summary of the draft, with the effect of publishing it today. */
export function ReviewStep({ cycle, onBack, onLater }: StepProps) {
  const t = useTranslations('kpiCycles');
  const navigate = useNavigate();
  const mayPublish = cycle.allowed_actions.includes('publish');
  const query = useQuery({
    ...load(kpiCycles.preflight, { params: { id: cycle.id } }),
    enabled: cycle.allowed_actions.includes('preflight'),
  });
  const publish = () =>
    void navigate({ to: paths.kpiCycle, params: { id: String(cycle.id) }, search: { do: 'publish' } });
  return (
    <StepLayout
      title={t('steps.review')}
      footer={
        <StepBar
          onBack={onBack}
          onLater={mayPublish ? onLater : undefined}
          onNext={mayPublish ? publish : onLater}
          nextLabel={mayPublish ? t('toPublish') : t('done')}
        />
      }
    >
      {query.isLoading && <SectionSkeleton />}
      {failedWithoutData(query) && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && <PreflightView cycle={cycle} preflight={query.data.data} />}
      <DescriptionList
        title={t('about')}
        items={[
          { label: t('field.name'), value: cycle.name },
          { label: t('field.type'), value: t(`type.${cycle.type}`) },
          { label: t('period'), value: <Days from={cycle.start_date} to={cycle.end_date} /> },
          { label: t('field.entity_id'), value: cycle.entity?.name ?? t('allCompanies') },
          { label: t('field.owner_id'), value: cycle.owner?.name ?? null },
          { label: t('tabs.departments'), value: t('departmentsCount', { count: cycle.departments_count }) },
        ]}
      />
      <CycleRules cycle={cycle} />
    </StepLayout>
  );
}
