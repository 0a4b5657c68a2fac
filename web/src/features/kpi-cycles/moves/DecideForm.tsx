import { Checkbox, Stack, Text, Textarea } from '@mantine/core';
import { kpiCycleMoves, moveDecisions, type CycleMove, type MoveDecision } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useDayText } from '../../../ui/use-day-text.ts';
import { usePercent } from '../../../ui/use-percent.ts';
import { ChoiceLine } from '../ChoiceLine.tsx';
import { TemplateSelect } from '../TemplateSelect.tsx';

const doneOf = { stay: 'stayed', switch: 'switched', split: 'splitDone' } as const;

type Props = { cycleId: number; move: CycleMove; onDone: (text: string) => void; onClose: () => void };

/** The choice between the existing evaluation, one of the new department, and both in parts. */
export function DecideForm({ cycleId, move, onDone, onClose }: Props) {
  const t = useTranslations('kpiCycleMoves');
  const [decision, setDecision] = useState<MoveDecision>('stay');
  const [reason, setReason] = useState('');
  const [template, setTemplate] = useState<number>();
  const [anyway, setAnyway] = useState(false);
  const send = useSend(kpiCycleMoves.decide);
  const { evaluation_id, revision, employee } = move;
  const submit = () =>
    send.mutate(
      {
        params: { id: cycleId },
        body: {
          evaluation_id,
          revision,
          decision,
          reason,
          ...(decision !== 'stay' && {
            ...(template !== undefined && { template_id: template }),
            ...(anyway && { allow_missing_reviewer: true }),
          }),
        },
      },
      { onSuccess: () => onDone(t(doneOf[decision], { name: employee.name })) },
    );
  return (
    <DialogForm onSubmit={submit}>
      <ErrorNotice error={send.error} fields={['reason']} />
      <Choice move={move} value={decision} onChange={setDecision} />
      {decision !== 'stay' && <Beginning {...{ move, decision, template, setTemplate, anyway, setAnyway }} />}
      <Textarea
        label={t('reason')}
        description={t('reasonHint')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={send.error?.fieldErrors['reason']}
        maxLength={500}
        rows={3}
        required
      />
      <FormActions cancel={t('cancel')} onCancel={onClose} submit={t('submit')} loading={send.isPending} />
    </DialogForm>
  );
}

type ChoiceProps = { move: CycleMove; value: MoveDecision; onChange: (value: MoveDecision) => void };

function Choice({ move, value, onChange }: ChoiceProps) {
  const t = useTranslations('kpiCycleMoves');
  const nobody = t('nobody');
  const hints = {
    stay: t('stayHint', { template: move.template.name, reviewer: move.reviewer?.name ?? nobody }),
    switch:
      move.new_template && move.refusal === null
        ? t('switchHint', { template: move.new_template.name, reviewer: move.new_reviewer?.name ?? nobody })
        : t('cannot', { reason: move.refusal ?? '' }),
    split: useSplitHint(move),
  };
  return (
    <Stack component="fieldset" gap={8} m={0} p={0} bd={0}>
      <legend className="visually-hidden">{t('decide')}</legend>
      {moveDecisions.map((one) => (
        <div key={one}>
          <ChoiceLine
            type="radio"
            name="decision"
            label={t(one)}
            checked={one === value}
            onChange={() => onChange(one)}
            aria-describedby={`decision-${one}`}
          />
          <Text id={`decision-${one}`} className="muted" fz="sm" ps={26}>
            {hints[one]}
          </Text>
        </div>
      ))}
    </Stack>
  );
}

/** Both parts with their days and weights, or why a split is impossible. */
function useSplitHint({ parts, split_refusal, from_department: from, to_department: to, ...move }: CycleMove): string {
  const t = useTranslations('kpiCycleMoves');
  const dayText = useDayText();
  const percent = usePercent(1);
  const [first, second] = parts ?? [];
  if (split_refusal !== null || !first || !second) return t('cannotSplit', { reason: split_refusal ?? '' });
  const weight = (days: number) => percent((100 * days) / (first.days + second.days));
  return t('splitHint', {
    from: from.name,
    until: dayText(first.until),
    days: first.days,
    weight: weight(first.days),
    to: to.name,
    since: dayText(second.from),
    daysSince: second.days,
    weightSince: weight(second.days),
    template: move.new_template?.name ?? '–',
    reviewer: move.new_reviewer?.name ?? t('nobody'),
  });
}

type BeginningProps = {
  move: CycleMove;
  decision: 'switch' | 'split';
  template: number | undefined;
  setTemplate: (id: number | undefined) => void;
  anyway: boolean;
  setAnyway: (value: boolean) => void;
};

/** What switching cancels, and what the new evaluation lacks. */
function Beginning({ move, decision, template, setTemplate, anyway, setAnyway }: BeginningProps) {
  const t = useTranslations('kpiCycleMoves');
  // no input here can make an impossible split possible
  if (decision === 'split' && move.parts === null) return null;
  return (
    <>
      {decision === 'switch' && move.has_begun && <p>{t('begun')}</p>}
      {move.refusal !== null && (move.new_template === null || template !== undefined) && (
        <TemplateSelect
          label={t('template')}
          labelled
          entityId={move.entity_id}
          value={template}
          onChange={setTemplate}
        />
      )}
      {move.new_reviewer === null && (
        <Checkbox
          label={t(decision === 'split' ? 'splitAnyway' : 'anyway')}
          checked={anyway}
          onChange={(event) => setAnyway(event.currentTarget.checked)}
        />
      )}
    </>
  );
}
