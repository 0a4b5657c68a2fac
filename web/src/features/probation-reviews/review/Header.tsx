import { Box } from '@mantine/core';
import type { ProbationReview, ProbationStatus as Status } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { paths } from '../../../paths.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PaperActions } from '../../../ui/paper.ts';
import classes from '../../../ui/RecordPage.module.css';
import { StepList } from '../../../ui/StepList.tsx';
import { HeaderActions } from '../../../workflow/HeaderActions.tsx';
import { ProbationStatus } from '../ProbationStatus.tsx';
import type { ProbationAction } from '../search.ts';
import { availableActions } from './available-actions.ts';

type Props = { review: ProbationReview; onDo: (action: ProbationAction) => void };

/** The actions with buttons; all others are in the menu. Submitting is in the bottom bar. */
const buttons: readonly ProbationAction[] = ['approve', 'share', 'acknowledge', 'record-acknowledgement', 'send-back'];
const destructive: readonly ProbationAction[] = ['cancel', 'delete', 'revert'];

/** The person, the state and the actions of a review. */
export function Header({ review, onDo }: Props) {
  const t = useTranslations('probationReview');
  const { user } = useSession();
  const isOwn = user?.employee_id === review.employee.id;
  return (
    <>
      <PageHeader
        title={isOwn ? t('titleOwn') : t('title', { name: review.employee.name })}
        lead={<Lead review={review} />}
      >
        <Suspense fallback={<Box w={36} h={36} />}>
          <PaperActions />
        </Suspense>
        <HeaderActions
          actions={availableActions(review).filter((action) => action !== 'submit')}
          buttons={buttons}
          isPrimary={(action) => action !== 'send-back'}
          destructive={destructive}
          label={(action) => t(`do.${action}`)}
          more={t('more')}
          onDo={onDo}
        />
      </PageHeader>
      <Stepper review={review} />
    </>
  );
}

function Lead({ review: { status, milestone, department, entity } }: Pick<Props, 'review'>) {
  const t = useTranslations('probationReview');
  const milestones = useTranslations('probationMilestone');
  return (
    <span className={classes['lead']}>
      <Link to={paths.probation} data-screen>
        {t('toList')}
      </Link>
      <ProbationStatus status={status} milestone={milestone} />
      {milestone !== 'final' && <span>{milestones(milestone)}</span>}
      <bdi>{[department.name, entity.name].join(', ')}</bdi>
    </span>
  );
}

const stages = ['assessment', 'decision', 'result'] as const;
const stageNumbers: Partial<Record<Status, number>> = { pending: 0, sent_back: 0, submitted: 1, approved: 2 };

function Stepper({ review: { status, milestone, employee_acknowledged_at: acknowledged } }: Pick<Props, 'review'>) {
  const t = useTranslations('probationReview');
  const stage = stageNumbers[status];
  if (stage === undefined) return null;
  return (
    <StepList
      label={t('way')}
      doneLabel={t('stepDone')}
      steps={stages.map((stage) => ({
        key: stage,
        label: t(milestone !== 'final' && stage === 'decision' ? 'stage.sharing' : `stage.${stage}`),
      }))}
      at={stages[stage] ?? 'result'}
      done={Boolean(acknowledged)}
    />
  );
}
