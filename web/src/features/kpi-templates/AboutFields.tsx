import { Input, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { entities, type KpiTemplate } from '@tenure/contract';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { RecordSelect } from '../../ui/RecordSelect.tsx';
import type { TemplateForm } from './use-template-form.ts';
import { AutoGrid } from '../../ui/AutoGrid.tsx';
import { Section } from './Section.tsx';
import { wordsOf } from './values.ts';

const wholeRow = { gridColumn: '1 / -1' };

type Props = { record: TemplateForm; template: KpiTemplate | undefined };

/** The name and target group of a template. */
export function AboutFields({ record: { form }, template }: Props) {
  const t = useTranslations('kpiTemplates');
  return (
    <Section title={t('about')}>
      <AutoGrid min="15rem" gap="14px 20px" align="end">
        <TextInput {...form.getInputProps('name')} style={wholeRow} label={t('field.name')} maxLength={150} required />
        <Textarea
          {...form.getInputProps('description')}
          style={wholeRow}
          label={t('field.description')}
          maxLength={5_000}
          rows={2}
        />
        {!template && <Company form={form} />}
        <TextInput
          {...form.getInputProps('job_title')}
          label={t('field.job_title')}
          description={t('forWhomHint')}
          maxLength={150}
        />
        <TextInput
          {...form.getInputProps('grade')}
          label={t('field.grade')}
          description={t('gradeHint')}
          maxLength={10}
        />
      </AutoGrid>
    </Section>
  );
}

/** Set at creation: the company of a template cannot change. */
function Company({ form }: { form: TemplateForm['form'] }) {
  const t = useTranslations('kpiTemplates');
  const { can } = useSession();
  const { entity_id: chosen } = form.values;
  const error = form.errors['entity_id'];
  if (!can('entities.view')) return null;
  return (
    <RecordSelect
      label={t('field.entity_id')}
      labelled
      description={t('companyHint')}
      list={entities.list}
      one={entities.get}
      value={chosen === '' ? undefined : Number(chosen)}
      onChange={(id) => form.setFieldValue('entity_id', id === undefined ? '' : String(id))}
      error={typeof error === 'string' ? error : undefined}
    />
  );
}

const numbersFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String(first + index));

/** The scale of scores. */
export function ScaleFields({ record: { form } }: { record: TemplateForm }) {
  const t = useTranslations('kpiTemplates');
  return (
    <Section title={t('scale')}>
      <Text className="muted" fz="sm">
        {t('scaleHint')}
      </Text>
      <AutoGrid min="7.5rem" gap="14px 16px" fit align="end" maw="30rem">
        <NativeSelect {...form.getInputProps('scale_min')} label={t('field.scale_min')} data={numbersFrom(0, 9)} />
        <NativeSelect {...form.getInputProps('scale_max')} label={t('field.scale_max')} data={numbersFrom(1, 10)} />
        <NativeSelect
          {...form.getInputProps('score_step')}
          label={t('field.score_step')}
          data={[
            { value: '1', label: t('step.whole') },
            { value: '0.5', label: t('step.half') },
          ]}
          style={wholeRow}
        />
      </AutoGrid>
      <ScaleWords form={form} />
    </Section>
  );
}

/** A word for each whole score, in a fold: many scales need none. */
function ScaleWords({ form }: Pick<TemplateForm, 'form'>) {
  const t = useTranslations('kpiTemplates');
  const format = useFormatter();
  const words = wordsOf(form.values);
  const [isOpen] = useState(() => words.some(Boolean));
  const first = Number(form.values.scale_min);
  const change = (score: number, word: string) => {
    const lines = Array.from({ length: 11 }, (_, line) => form.values.scale_words.split('\n')[line] ?? '');
    form.setFieldValue('scale_words', lines.with(score, word).join('\n'));
  };
  return (
    <details open={isOpen || form.errors['scale_words'] !== undefined}>
      <summary>{t('wordsTitle')}</summary>
      <Stack gap={8} pt={8} maw="30rem">
        {words.map((word, place) => (
          <TextInput
            key={first + place}
            aria-label={t('wordFor', { score: format.number(first + place) })}
            leftSection={format.number(first + place)}
            value={word}
            maxLength={60}
            onChange={(event) => change(first + place, event.currentTarget.value)}
          />
        ))}
        {form.errors['scale_words'] && <Input.Error>{form.errors['scale_words']}</Input.Error>}
      </Stack>
    </details>
  );
}
