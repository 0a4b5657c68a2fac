import { Checkbox, Textarea, TextInput } from '@mantine/core';
import type { EvaluationItem, KpiEvaluation } from '@tenure/contract';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Segments } from '../../../ui/Segments.tsx';
import type { Texts } from '../../../ui/versions.ts';
import { withLabel } from '../../../ui/with-label.ts';
import { nameOf, parseName, scoresOf, type ItemField, type Side } from './values.ts';

/** The state of one side's form. */
export type Form = {
  side: Side;
  values: Texts;
  errors: Readonly<Record<string, string>>;
  change: (patch: Texts) => void;
};

/** Replaces paths in messages of the service by the labels of items and fields. */
export function useNamedErrors() {
  const t = useTranslations('kpiEvaluation');
  const labels = { score: t('score'), actual_value: t('actual'), comment: t('comment'), applies: t('notApplicable') };
  return (errors: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(errors).map(([name, text]) => {
        const { item, field } = parseName(name);
        return [name, item === undefined ? text : withLabel(text, labels[field])];
      }),
    );
}

type ItemProps = { form: Form; item: EvaluationItem; evaluation: KpiEvaluation };

/** The answer to an item: a score or a measured value. */
export function Answer({ form, item, evaluation }: ItemProps) {
  const t = useTranslations('kpiEvaluation');
  const format = useFormatter();
  const field = item.item_type === 'measured' ? 'actual_value' : 'score';
  const name = nameOf(item.id, field);
  const shared = {
    value: form.values[name] ?? '',
    error: form.errors[name],
    onChange: (value: string) => form.change({ [name]: value }),
  };
  if (item.item_type === 'rating')
    return (
      <Segments
        {...shared}
        label={t('score')}
        clear={t('clear')}
        choices={scoresOf(evaluation).map((score) => ({ value: String(score), label: format.number(score) }))}
      />
    );
  if (item.direction === 'boolean')
    return (
      <Segments
        {...shared}
        label={t('reached')}
        clear={t('clear')}
        choices={[
          { value: '1', label: t('yes') },
          { value: '0', label: t('no') },
        ]}
      />
    );
  return <Measured {...shared} label={t('actual')} unit={item.unit ?? ''} />;
}

type MeasuredProps = {
  label: string;
  unit: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
};

/** The input of a measured value, with its unit. */
const Measured = ({ unit, onChange, ...props }: MeasuredProps) => (
  <TextInput
    {...props}
    maw="16rem"
    inputMode="decimal"
    autoComplete="off"
    onChange={(event) => onChange(event.currentTarget.value)}
    {...(unit !== '' && { rightSection: <bdi>{unit}</bdi>, rightSectionWidth: `${unit.length + 2}ch` })}
  />
);

/** The inputs for non-applicability and for the comment of an item. */
export function ItemComment({ form, item, children }: { form: Form; item: EvaluationItem; children?: ReactNode }) {
  const t = useTranslations('kpiEvaluation');
  const name = (field: ItemField) => nameOf(item.id, field);
  const applies = form.values[name('applies')] !== 'no';
  return (
    <>
      {applies && children}
      <Checkbox
        size="sm"
        label={t('notApplicable')}
        checked={!applies}
        error={form.errors[name('applies')]}
        onChange={(event) =>
          form.change(
            event.currentTarget.checked
              ? { [name('applies')]: 'no', [name('score')]: '', [name('actual_value')]: '' }
              : { [name('applies')]: '' },
          )
        }
      />
      <LongText
        form={form}
        name={name('comment')}
        label={t(applies ? 'comment' : 'commentWhy')}
        description={applies ? undefined : t('commentWhyHint')}
        required={!applies}
      />
    </>
  );
}

type WordsProps = {
  form: Form;
  name: string;
  label: string;
  description?: string | undefined;
  required?: boolean;
};

/** A multi-line text. */
export function LongText({ form, name, label, description, required = false }: WordsProps) {
  return (
    <Textarea
      label={label}
      description={description}
      required={required}
      value={form.values[name] ?? ''}
      error={form.errors[name]}
      maxLength={5_000}
      autosize={false}
      rows={4}
      name={name}
      onChange={(event) => form.change({ [name]: event.currentTarget.value })}
    />
  );
}
