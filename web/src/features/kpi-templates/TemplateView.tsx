import { Stack } from '@mantine/core';
import type { KpiTemplate } from '@tenure/contract';
import { useFormatter, useLocale, useTranslations } from 'use-intl';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import classes from './builder.module.css';
import { decimalSignOf } from '../../ui/numbers.ts';
import { useItemSummary } from './use-item-summary.ts';
import { templateValues } from './values.ts';
import { usePercent } from '../../ui/use-percent.ts';
import { ScaleWords } from '../../ui/ScaleWords.tsx';
import { Section } from './Section.tsx';

/** The read-only view of a template. */
export function TemplateView({ template }: { template: KpiTemplate }) {
  const t = useTranslations('kpiTemplates');
  const { description, job_title, grade, items } = template;
  return (
    <Stack gap={28} maw="56rem" px="gutter" pt={4} pb={32}>
      <DescriptionList
        title={t('about')}
        items={[
          { label: t('field.description'), value: description },
          { label: t('field.job_title'), value: job_title },
          { label: t('field.grade'), value: grade },
          { label: t('scale'), value: <ScaleSummary template={template} /> },
          ...(template.scale_words
            ? [
                {
                  label: t('field.scale_words'),
                  value: (
                    <ScaleWords label={t('field.scale_words')} from={template.scale_min} words={template.scale_words} />
                  ),
                },
              ]
            : []),
        ]}
      />
      <Section title={t('items')}>
        {items.length > 0 ? <ItemsRead template={template} /> : <p className="muted">{t('noItems')}</p>}
      </Section>
    </Stack>
  );
}

type ScaleProps = { template: Pick<KpiTemplate, 'scale_min' | 'scale_max' | 'score_step'> };

export function ScaleSummary({ template: { scale_min, scale_max, score_step } }: ScaleProps) {
  const t = useTranslations('kpiTemplates');
  const format = useFormatter();
  return t('scaleIs', { from: scale_min, to: scale_max, step: format.number(score_step) });
}

/** The read-only list of items. */
export function ItemsRead({ template }: { template: KpiTemplate }) {
  const sign = decimalSignOf(useLocale());
  const percent = usePercent(2);
  const summary = useItemSummary();
  const values = templateValues(template, sign).items;
  return (
    <Stack gap={8} renderRoot={(props) => <ol {...props} />}>
      {template.items.map((item, index) => (
        <li key={item.id} className={classes['item']} data-still>
          <div className={classes['itemHead']}>
            <span className={classes['place']} aria-hidden>
              {index + 1}
            </span>
            <strong className={classes['itemName']}>
              <bdi>{item.name}</bdi>
            </strong>
            <span className="numbers">{percent(item.weight)}</span>
          </div>
          {item.description !== null && <p className={classes['summary']}>{item.description}</p>}
          {values[index] && <p className={classes['summary']}>{summary(values[index])}</p>}
        </li>
      ))}
    </Stack>
  );
}
