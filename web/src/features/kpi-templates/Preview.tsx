import { Button, Group, Text, Textarea, TextInput } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import { useId } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import classes from './Preview.module.css';
import type { DecimalSign } from '../../ui/numbers.ts';
import { ScaleWords } from '../../ui/ScaleWords.tsx';
import { measuresOf, wordsOf, type ItemValues, type TemplateValues } from './values.ts';
import { usePercent } from '../../ui/use-percent.ts';
import { hundredthsOf } from '../../ui/weights.ts';
import { AutoGrid } from '../../ui/AutoGrid.tsx';

type Props = { opened: boolean; onClose: () => void; values: TemplateValues; sign: DecimalSign };

/** A preview of the form with the inputs of one side. Its input is not stored. */
export function Preview({ opened, onClose, values, sign }: Props) {
  const t = useTranslations('kpiTemplates');
  const p = useTranslations('kpiTemplatePreview');
  return (
    <Dialog title={p('title')} opened={opened} onClose={onClose} size="lg">
      <p className="muted">{p('lead')}</p>
      {values.items.length === 0 && <p>{t('noItems')}</p>}
      {values.items.map((item, index) => (
        <PreviewItem key={item.key} item={item} index={index} values={values} sign={sign} />
      ))}
      <DialogActions>
        <Button onClick={onClose} data-autofocus>
          {p('close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

type ItemProps = { item: ItemValues; index: number; values: TemplateValues; sign: DecimalSign };

function PreviewItem({ item, index, values, sign }: ItemProps) {
  const t = useTranslations('kpiTemplates');
  const p = useTranslations('kpiTemplatePreview');
  const percent = usePercent(2);
  return (
    <fieldset className={classes['item']}>
      <legend>
        <bdi>{item.name.trim() || t('itemNumber', { number: index + 1 })}</bdi>
        <span className="muted numbers">{percent(hundredthsOf(item.weight, sign) / 100)}</span>
      </legend>
      {item.description.trim() !== '' && <p className="muted">{item.description}</p>}
      {item.item_type === 'measured' ? <Actual item={item} /> : <Scores item={item} values={values} />}
      <Textarea label={p('comment')} rows={2} />
      {item.evidence_required && (
        <Group className="muted" gap={8} px={12} py={10} bd="1px dashed var(--line-strong)" bdrs="md" fz="sm">
          <IconPaperclip size={16} aria-hidden />
          {p('evidence')}
        </Group>
      )}
    </fieldset>
  );
}

/** The scores of a scale, in ascending order. */
export function scoresOf({ scale_min, scale_max, score_step }: TemplateValues): number[] {
  const [from, to, step] = [Number(scale_min), Number(scale_max), Number(score_step)];
  return Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, index) => from + index * step);
}

function Scores({ item, values }: { item: ItemValues; values: TemplateValues }) {
  const p = useTranslations('kpiTemplatePreview');
  const format = useFormatter();
  const name = useId();
  return (
    <>
      <Group gap={6} role="radiogroup" aria-label={p('score', { name: item.name })}>
        {scoresOf(values).map((score) => (
          <label key={score} className={classes['score']}>
            <input type="radio" name={name} value={score} />
            <span>{format.number(score)}</span>
          </label>
        ))}
      </Group>
      <ScaleWords label={p('scaleWords')} from={Number(values.scale_min)} words={wordsOf(values)} />
    </>
  );
}

function Actual({ item }: { item: ItemValues }) {
  const p = useTranslations('kpiTemplatePreview');
  const unit = item.unit.trim();
  if (item.direction === 'boolean')
    return (
      <Group gap={6} role="radiogroup" aria-label={p('done', { name: item.name })}>
        {(['yes', 'no'] as const).map((answer) => (
          <label key={answer} className={classes['score']}>
            <input type="radio" name={`${item.key}-done`} />
            <span>{p(answer)}</span>
          </label>
        ))}
      </Group>
    );
  const target = measuresOf(item.direction).includes('target_value') ? item.target_value.trim() : '';
  return (
    <AutoGrid min="14rem" gap="8px 16px" align="end">
      <TextInput
        label={p('actual')}
        inputMode="decimal"
        {...(unit !== '' && { rightSection: unit, rightSectionWidth: `${unit.length + 2}ch` })}
      />
      <Text className="muted" fz="sm" mih={36}>
        {target === '' ? p('counted') : p('countedFrom', { target: `${target} ${unit}`.trim() })}
      </Text>
    </AutoGrid>
  );
}
