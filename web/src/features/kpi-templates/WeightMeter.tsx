import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useToast } from '../../ui/toasts.tsx';
import classes from './builder.module.css';
import type { TemplateForm } from './use-template-form.ts';
import { spread, totalOf, weightText, whole } from './weights.ts';

/** A moment after the last key, so that a figure is heard once and not while it is typed. */
const quietFor = 700;

type Props = {
  record: TemplateForm;
  /** Below the figure. */
  children?: ReactNode;
};

/** How much of 100 % is given away, to the hundredth. */
export function WeightMeter({ record: { form, sign }, children }: Props) {
  const t = useTranslations('kpiTemplates');
  const weights = form.values.items.map(({ weight }) => weight);
  return (
    <section className={classes['meter']} aria-label={t('weights')}>
      <Total total={totalOf(weights, sign)} />
      {children}
    </section>
  );
}

/** Gives every item the same share. */
export function Distribute({ record: { form, sign } }: { record: TemplateForm }) {
  const t = useTranslations('kpiTemplates');
  const toast = useToast();
  const { items } = form.values;
  const setWeights = (weights: readonly string[]) =>
    form.setFieldValue(
      'items',
      form.getValues().items.map((item, place) => ({ ...item, weight: weights[place] ?? item.weight })),
    );
  const distribute = () => {
    const before = items.map(({ weight }) => weight);
    setWeights(spread(items.length).map((share) => weightText(share, sign)));
    for (const place of items.keys()) form.clearFieldError(`items.${place}.weight`);
    toast({ text: t('distributed'), undo: () => setWeights(before) });
  };
  return (
    <Button variant="default" size="compact-sm" disabled={items.length === 0} onClick={distribute}>
      {t('distribute')}
    </Button>
  );
}

/** The figure, a bar, and in words what is missing or too much. */
function Total({ total }: { total: number }) {
  const t = useTranslations('kpiTemplates');
  const percent = usePercent();
  const state = total === whole ? 'exact' : total < whole ? 'left' : 'over';
  const words = t(`total.${state}`, { rest: percent(Math.abs(whole - total)) });
  const said = t('total.said', { total: percent(total), words });
  const [announced] = useDebouncedValue(said, quietFor);
  return (
    <div className={classes['total']} data-state={state}>
      <strong className="numbers">{percent(total)}</strong>
      <span>{words}</span>
      <div className={classes['gauge']} aria-hidden>
        <div style={{ inlineSize: `${Math.min(100, total / 100)}%` }} />
      </div>
      <output className="visually-hidden">{announced}</output>
    </div>
  );
}

/** Hundredths of a percent as people read them: 33.34 %. */
export function usePercent() {
  const format = useFormatter();
  return (hundredths: number) =>
    format.number(hundredths / 10_000, { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
