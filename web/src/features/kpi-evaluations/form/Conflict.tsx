import type { KpiEvaluation } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import { ConflictView } from '../../../ui/ConflictView.tsx';
import type { Draft, DraftState } from './draft.ts';
import { parseName } from './values.ts';

type Props = { evaluation: KpiEvaluation; draft: Draft; state: DraftState };

/** Both versions after a concurrent change, with a choice for each field. */
export function Conflict({ evaluation, draft, state: { conflict } }: Props) {
  const label = useFieldName(evaluation);
  const show = useShownValue();
  return (
    <ConflictView
      differences={conflict?.differences ?? []}
      label={label}
      show={show}
      onResolve={draft.resolve}
      onCancel={draft.backToForm}
    />
  );
}

/** The label of a field with the item it belongs to. */
export function useFieldName({ items }: Pick<KpiEvaluation, 'items'>) {
  const t = useTranslations('kpiEvaluationWhole');
  return (name: string): string => {
    const parsed = parseName(name);
    if (parsed.item === undefined) return t(`field.${parsed.field as 'self_comment'}`);
    const item = items.find(({ id }) => id === parsed.item)?.name ?? '';
    return t('fieldOf', { item, field: t(`field.${parsed.field}`) });
  };
}

export function useShownValue() {
  const t = useTranslations('kpiEvaluation');
  const format = useFormatter();
  return (name: string, value: string): string => {
    const { field } = parseName(name);
    if (field === 'applies') return t(value === 'no' ? 'no' : 'yes');
    if (field === 'score') return format.number(Number(value));
    if (field === 'performance_flag') return t(`flag.${value as 'pip'}`);
    return value;
  };
}
