import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useToast } from '../../ui/toasts.tsx';
import type { TemplateForm } from './use-template-form.ts';
import { spread, totalOf, weightText } from '../../ui/weights.ts';
import { WeightTotal } from '../../ui/WeightTotal.tsx';
import classes from './builder.module.css';

type Props = {
  record: TemplateForm;
  /** Smaller and without a box, for use beside other content. */
  compact?: boolean;
  /** Content below the figure. */
  children?: ReactNode;
};

/** The sum of the weights as a part of 100 %, exact to two decimals. */
export function WeightMeter({ record: { form, sign }, compact = false, children }: Props) {
  const t = useTranslations('kpiTemplates');
  const weights = form.values.items.map(({ weight }) => weight);
  return (
    <section className={classes['meter']} data-compact={compact || undefined} aria-label={t('weights')}>
      <WeightTotal
        compact={compact}
        total={totalOf(weights, sign)}
        words={(state, rest) => t(`total.${state}`, { rest })}
        announcement={(total, words) => t('total.said', { total, words })}
      />
      {children}
    </section>
  );
}

/** Gives every item the same weight. */
export function Distribute({ record: { form, sign } }: { record: TemplateForm }) {
  const t = useTranslations('kpiTemplates');
  const toast = useToast();
  const { items } = form.values;
  const setWeights = (weights: readonly string[]) =>
    form.setFieldValue(
      'items',
      form.getValues().items.map((item, index) => ({ ...item, weight: weights[index] ?? item.weight })),
    );
  const distribute = () => {
    const before = items.map(({ weight }) => weight);
    setWeights(spread(items.length).map((share) => weightText(share, sign)));
    for (const index of items.keys()) form.clearFieldError(`items.${index}.weight`);
    toast({ text: t('distributed'), undo: () => setWeights(before) });
  };
  return (
    <Button variant="default" size="compact-sm" disabled={items.length === 0} onClick={distribute}>
      {t('distribute')}
    </Button>
  );
}
