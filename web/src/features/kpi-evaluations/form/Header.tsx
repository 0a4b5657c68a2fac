import { Box } from '@mantine/core';
import { kpiEvaluations, type KpiEvaluation } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { address } from '../../../api/call.ts';
import { useSession } from '../../../api/session.tsx';
import { paths } from '../../../paths.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PaperActions } from '../../../ui/paper.ts';
import { StepList } from '../../../ui/StepList.tsx';
import { EvaluationStatus } from '../../../workflow/EvaluationStatus.tsx';
import { PartOf } from '../../../workflow/PartOf.tsx';
import { HeaderActions } from '../../../workflow/HeaderActions.tsx';
import { stages, stagesDone } from '../stages.ts';
import classes from '../../../ui/RecordPage.module.css';
import { evaluationActions, submitActions, type EvaluationAction } from './search.ts';

type Props = { evaluation: KpiEvaluation; onDo: (action: EvaluationAction) => void };

/** These have a button in the bar at the bottom instead. */
const atTheBottom: readonly EvaluationAction[] = [...submitActions, 'accept', 'dispute'];
/** The actions with buttons, by importance; all others are in the menu. */
const buttons: readonly EvaluationAction[] = [
  'resolve-dispute',
  'record-answer',
  'close',
  'extension-decision',
  'return',
];
const main: readonly EvaluationAction[] = buttons.slice(0, 4);
const destructive: readonly EvaluationAction[] = ['force-close', 'cancel'];

export const availableActions = ({ allowed_actions: allowed }: KpiEvaluation): EvaluationAction[] =>
  evaluationActions.filter((action) => allowed.includes(action));

/** The person, the state and the actions of an evaluation. */
export function Header({ evaluation, onDo }: Props) {
  const t = useTranslations('kpiEvaluation');
  // the form shows one item at a time: the document has all of them
  const isWritten = evaluation.allowed_actions.includes('update');
  return (
    <>
      <PageHeader
        title={t('title', { name: evaluation.employee.name, cycle: evaluation.cycle.name })}
        lead={<Lead evaluation={evaluation} />}
      >
        <Suspense fallback={<Box w={80} h={36} />}>
          <PaperActions pdf={address(kpiEvaluations.pdf, { params: { id: evaluation.id } })} printed={!isWritten} />
        </Suspense>
        <HeaderActions
          actions={availableActions(evaluation).filter((action) => !atTheBottom.includes(action))}
          buttons={buttons}
          isPrimary={(action) => main.includes(action)}
          destructive={destructive}
          label={(action) => t(`do.${action}`)}
          more={t('more')}
          onDo={onDo}
        />
      </PageHeader>
      <Stepper evaluation={evaluation} />
    </>
  );
}

function Lead({ evaluation }: Pick<Props, 'evaluation'>) {
  const t = useTranslations('kpiEvaluation');
  const { can } = useSession();
  const { status, department, reviewer, cycle, part, job_title: job } = evaluation;
  return (
    <span className={classes['lead']}>
      <EvaluationStatus status={status} />
      {can('kpi-cycle.view') ? (
        <Link to={paths.kpiCycle} params={{ id: String(cycle.id) }}>
          <bdi>{cycle.name}</bdi>
        </Link>
      ) : (
        <bdi>{cycle.name}</bdi>
      )}
      <PartOf part={part} />
      <bdi>{[job, department.name].filter(Boolean).join(', ')}</bdi>
      <bdi>{reviewer ? t('reviewedBy', { name: reviewer.name }) : t('noReviewer')}</bdi>
    </span>
  );
}

function Stepper({ evaluation: { status } }: Pick<Props, 'evaluation'>) {
  const t = useTranslations('kpiEvaluation');
  const done = stagesDone(status);
  if (done < 0) return null;
  return (
    <StepList
      label={t('way')}
      doneLabel={t('stepDone')}
      steps={stages.map((stage) => ({ key: stage, label: t(`stage.${stage}`) }))}
      at={stages[Math.min(done, stages.length - 1)] ?? 'completed'}
      done={status === 'completed'}
    />
  );
}
