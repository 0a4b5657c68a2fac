import { Button, Stack } from '@mantine/core';
import { evaluationSteps, type KpiEvaluation } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../../../api/api-error.ts';
import { paths } from '../../../../paths.ts';
import { DialogActions } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import type { Texts } from '../../../../ui/versions.ts';
import { useNamedErrors } from '../fields.tsx';
import { gapsOf, loweredSilently, type Gap } from '../gaps.ts';
import type { SubmitAction } from '../search.ts';
import { namedErrors, parseName, writtenSide } from '../values.ts';
import { useStep, type StepProps } from './use-step.ts';

type Props = StepProps & { action: SubmitAction; values: Texts };

/** Submits the form: lists missing answers with links, then shows the consequences. */
export function SubmitForm(props: Props) {
  const { evaluation, values, onClose } = props;
  const t = useTranslations('kpiEvaluationDialogs');
  const side = writtenSide(evaluation);
  const gaps = side ? gapsOf(evaluation, values, side) : [];
  if (gaps.length === 0) return <Confirm {...props} />;
  return (
    <>
      <p>{t('gaps', { count: gaps.length })}</p>
      <Stack component="ul" gap={6}>
        {gaps.map((gap) => (
          <li key={`${gap.item?.id ?? 0}-${gap.kind}`}>
            <GapLink evaluation={evaluation} gap={gap} />
          </li>
        ))}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('goOn')}
        </Button>
      </DialogActions>
    </>
  );
}

function GapLink({ evaluation, gap }: { evaluation: KpiEvaluation; gap: Gap }) {
  const t = useTranslations('kpiEvaluationDialogs');
  return (
    <Link to={paths.kpiEvaluation} params={{ id: String(evaluation.id) }} search={{ item: gap.item?.id ?? 0 }}>
      {gap.item ? t('gapOf', { item: gap.item.name, gap: t(`gap.${gap.kind}`) }) : t(`gap.${gap.kind}`)}
    </Link>
  );
}

function Confirm({ evaluation, action, values, onDone, onClose }: Props) {
  const t = useTranslations('kpiEvaluationDialogs');
  const { id, revision, items } = evaluation;
  const whole = useStep(
    action === 'self-assessment' ? evaluationSteps.selfAssessment : evaluationSteps.managerReview,
    onDone,
  );
  const hr = useStep(evaluationSteps.hrReview, onDone);
  const step = action === 'hr-review' ? hr : whole;
  const confirm = () => {
    const params = { id };
    if (action !== 'hr-review') return whole.submit({ params, body: { revision } });
    return hr.submit({
      params,
      body: {
        hr_comment: (values['hr_comment'] ?? '').trim(),
        performance_flag: values['performance_flag'] as 'standard',
        flag_reason: (values['flag_reason'] ?? '').trim() || null,
        revision,
      },
    });
  };
  return (
    <>
      <Refused error={step.error} evaluation={evaluation} />
      <p>
        {t(`text.${action}`, {
          name: evaluation.employee.name,
          count: items.length,
          signsIn: String(evaluation.person_signs_in),
        })}
      </p>
      {action === 'manager-review' && <Lowered evaluation={evaluation} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button data-autofocus loading={step.isPending} onClick={confirm}>
          {t(`confirm.${action}`)}
        </Button>
      </DialogActions>
    </>
  );
}

/** Scores below the self-assessment that lack a comment, each with a link. */
function Lowered({ evaluation }: { evaluation: KpiEvaluation }) {
  const t = useTranslations('kpiEvaluationDialogs');
  const lowered = loweredSilently(evaluation);
  if (lowered.length === 0) return null;
  return (
    <Notice>
      <p>{t('lowered', { count: lowered.length })}</p>
      <Stack component="ul" gap={6}>
        {lowered.map((item) => (
          <li key={item.id}>
            <Link to={paths.kpiEvaluation} params={{ id: String(evaluation.id) }} search={{ item: item.id }}>
              {item.name}
            </Link>
          </li>
        ))}
      </Stack>
    </Notice>
  );
}

/** The answers that the service misses, by item. */
function Refused({ error, evaluation }: { error: ApiError | null; evaluation: KpiEvaluation }) {
  const named = useNamedErrors();
  const errors = Object.entries(named(namedErrors(error?.fieldErrors ?? {}, evaluation.items)));
  const ofItems = errors.filter(([name]) => parseName(name).item !== undefined);
  if (ofItems.length === 0) return <ErrorNotice error={error} />;
  return (
    <Stack component="ul" gap={6} role="alert">
      {ofItems.map(([name, text]) => {
        const item = evaluation.items.find(({ id }) => id === parseName(name).item);
        return (
          <li key={name}>
            <Link to={paths.kpiEvaluation} params={{ id: String(evaluation.id) }} search={{ item: item?.id ?? 0 }}>
              {item?.name}
            </Link>
            {': '}
            {text}
          </li>
        );
      })}
    </Stack>
  );
}
