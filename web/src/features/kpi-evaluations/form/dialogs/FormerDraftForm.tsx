import { Button, Stack } from '@mantine/core';
import { evaluationSteps, type KpiEvaluation } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { DescriptionList } from '../../../../ui/DescriptionList.tsx';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { useFigures } from '../figures.ts';
import { StepActions } from './StepActions.tsx';
import { useStep, type StepProps } from './use-step.ts';

type FormerDraft = NonNullable<KpiEvaluation['former_draft']>;

/** The previous reviewer's draft, to take over or discard. */
export function FormerDraftForm({ evaluation, onDone, onClose }: StepProps) {
  const t = useTranslations('kpiEvaluationDialogs');
  const step = useStep(evaluationSteps.formerDraft, onDone);
  const { id, revision, former_draft: draft } = evaluation;
  if (!draft) return null;
  const decide = (decision: 'take' | 'discard') => step.submit({ params: { id }, body: { decision, revision } });
  return (
    <DialogForm onSubmit={() => decide('take')}>
      <ErrorNotice error={step.error} fields={[]} />
      <p>{t('text.former-draft', { name: draft.reviewer })}</p>
      <Written evaluation={evaluation} draft={draft} />
      <Stack align="start">
        <Button variant="default" loading={step.isPending} onClick={() => decide('discard')}>
          {t('formerDraft.discard')}
        </Button>
      </Stack>
      <StepActions confirm={t('formerDraft.take')} isPending={step.isPending} onClose={onClose} />
    </DialogForm>
  );
}

/** The answers to the items, then the texts. */
function Written({ evaluation, draft }: { evaluation: KpiEvaluation; draft: FormerDraft }) {
  const t = useTranslations('kpiEvaluationDialogs');
  const figures = useFigures();
  const items = draft.items.flatMap((answer) => {
    const item = evaluation.items.find(({ id }) => id === answer.id);
    const said = [
      answer.manager_not_applicable === true && t('formerDraft.notApplicable'),
      answer.manager_actual_value !== null && String(answer.manager_actual_value),
      answer.manager_score !== null && figures.score(answer.manager_score),
      answer.manager_comment,
    ].filter(Boolean);
    return item && said.length > 0 ? [{ label: item.name, value: said.join(' · ') }] : [];
  });
  const texts = (['manager_comment', 'strengths', 'improvements'] as const).flatMap((name) =>
    draft[name] ? [{ label: t(`formerDraft.field.${name}`), value: draft[name] }] : [],
  );
  const written = [...items, ...texts];
  return written.length === 0 ? (
    <p>{t('formerDraft.nothing')}</p>
  ) : (
    <DescriptionList title={draft.reviewer} items={written} />
  );
}
