import { Box, Stack, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { DateField } from '../../ui/DateField.tsx';
import { readNumber } from '../../ui/numbers.ts';
import { bandKeys, joinCaps, splitBands, splitCaps } from './fields.ts';
import classes from './form.module.css';
import type { CycleForm } from './use-cycle-form.ts';

type Props = { record: CycleForm };

const Section = ({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) => (
  <fieldset className={classes['section']}>
    <legend>{title}</legend>
    <Stack gap={12}>
      {hint !== undefined && (
        <Box component="p" c="var(--ink-2)" fz="sm" lh={1.45}>
          {hint}
        </Box>
      )}
      {children}
    </Stack>
  </fieldset>
);

/** The windows of the steps, and what happens if they pass. */
export function WindowFields({ record }: Props) {
  const t = useTranslations('kpiCycles');
  return (
    <>
      <Section title={t('selfWindow')} hint={t('windowHint')}>
        <div className={classes['fields']}>
          <DateField {...record.dayProps('self_assessment_opens_on')} label={t('opens')} />
          <DateField {...record.dayProps('self_assessment_closes_on')} label={t('closes')} />
        </div>
        <Flag record={record} name="auto_skip_self" />
      </Section>
      <Section title={t('managerWindow')}>
        <div className={classes['fields']}>
          <DateField {...record.dayProps('manager_review_opens_on')} label={t('opens')} />
          <DateField {...record.dayProps('manager_review_closes_on')} label={t('closes')} />
          <TextInput
            {...record.form.getInputProps('min_days')}
            label={t('field.min_days')}
            description={t('min_daysHint')}
            inputMode="numeric"
            maxLength={2}
          />
        </div>
        <Flag record={record} name="four_eyes" />
        <Flag record={record} name="hr_comment_optional" />
      </Section>
      <Section title={t('acceptance')}>
        <div className={classes['fields']}>
          <TextInput
            {...record.form.getInputProps('acceptance_days')}
            label={t('field.acceptance_days')}
            description={t('acceptanceHint')}
            inputMode="numeric"
            maxLength={2}
          />
        </div>
        <Flag record={record} name="auto_accept" />
      </Section>
    </>
  );
}

function Flag({
  record: { form },
  name,
}: Props & { name: 'auto_skip_self' | 'auto_accept' | 'four_eyes' | 'hr_comment_optional' }) {
  const t = useTranslations('kpiCycles');
  return (
    <Switch
      label={t(`field.${name}`)}
      description={t(`${name}Hint`)}
      checked={form.values[name] === 'true'}
      onChange={(event) => form.setFieldValue(name, event.currentTarget.checked ? 'true' : '')}
    />
  );
}

/** The rules that are fixed once the cycle is published. */
export function FixedFields({ record }: Props) {
  const t = useTranslations('kpiCycles');
  return (
    <>
      <Section title={t('eligibility')}>
        <div className={classes['fields']}>
          <TextInput
            {...record.form.getInputProps('min_service_days')}
            label={t('field.min_service_days')}
            description={t('serviceHint')}
            inputMode="numeric"
            maxLength={3}
          />
        </div>
      </Section>
      <WeightSection record={record} />
      <Section title={t('thresholds')} hint={t('thresholdsHint')}>
        <div className={classes['fields']}>
          <PercentField record={record} name="pip_below_pct" />
          <PercentField record={record} name="hipo_from_pct" />
        </div>
      </Section>
    </>
  );
}

function WeightSection({ record: { form, sign } }: Props) {
  const t = useTranslations('kpiCycles');
  const manager = readNumber(form.values['manager_weight_pct'] ?? '', sign);
  return (
    <Section title={t('weights')} hint={t('weightsHint')}>
      <div className={classes['fields']}>
        <TextInput
          {...form.getInputProps('manager_weight_pct')}
          label={t('field.manager_weight_pct')}
          inputMode="numeric"
          maxLength={3}
          rightSection="%"
        />
        <TextInput
          label={t('field.self_weight_pct')}
          value={manager === undefined ? '' : String(100 - manager)}
          error={form.errors['self_weight_pct']}
          rightSection="%"
          readOnly
        />
      </div>
    </Section>
  );
}

function PercentField({ record: { form }, name }: Props & { name: 'pip_below_pct' | 'hipo_from_pct' }) {
  const t = useTranslations('kpiCycles');
  return (
    <TextInput
      {...form.getInputProps(name)}
      label={t(`field.${name}`)}
      inputMode="decimal"
      maxLength={6}
      rightSection="%"
    />
  );
}

/** The expected maximum share of each band, for the report. */
export function CapFields({ record: { form } }: Props) {
  const t = useTranslations('kpiCycles');
  const caps = splitCaps(form.values['band_caps'] ?? '');
  const names = splitBands(form.values['bands'] ?? '');
  return (
    <Section title={t('caps')} hint={t('capsHint')}>
      <div className={classes['fields']} data-narrow>
        {bandKeys.map((key, index) => (
          <TextInput
            key={key}
            label={t('bandIs', { band: names[2 * index] || key.toUpperCase() })}
            value={caps[index] ?? ''}
            error={form.errors[`band_caps.${key}`]}
            inputMode="numeric"
            maxLength={3}
            rightSection="%"
            onChange={(event) =>
              form.setFieldValue('band_caps', joinCaps(caps.with(index, event.currentTarget.value.trim())))
            }
          />
        ))}
      </div>
    </Section>
  );
}
