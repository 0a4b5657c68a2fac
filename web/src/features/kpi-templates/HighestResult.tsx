import { Text } from '@mantine/core';
import { highestResult } from '@tenure/contract/highest-result';
import { useTranslations } from 'use-intl';
import { readNumber } from '../../ui/numbers.ts';
import { usePercent } from '../../ui/use-percent.ts';
import type { TemplateForm } from './use-template-form.ts';

/** The highest result that the items can reach, with a warning below 100 %. */
export function HighestResult({ record: { form, sign } }: { record: TemplateForm }) {
  const t = useTranslations('kpiTemplates');
  const percent = usePercent(2);
  const number = (text: string) => readNumber(text, sign) ?? null;
  const items = form.values.items.map((item) => ({
    ...item,
    weight: number(item.weight) ?? 0,
    target_value: number(item.target_value),
    baseline_value: number(item.baseline_value),
    cap_pct: number(item.cap_pct),
  }));
  const highest = highestResult(items, Number(form.values.scale_max) || 1);
  if (highest === null) return null;
  return (
    <Text fz="sm" {...(highest < 100 ? { c: 'var(--warn-fg)', role: 'status' } : { className: 'muted' })}>
      {t('highest', { percent: percent(highest) })}
      {highest < 100 && ` ${t('highestLow')}`}
    </Text>
  );
}
