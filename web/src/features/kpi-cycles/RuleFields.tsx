import { Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { DateField } from '../../ui/DateField.tsx';
import { readNumber } from '../../ui/numbers.ts';
import { bandKeys, joinCaps, splitCaps, type CycleField } from './fields.ts';
import classes from './form.module.css';
import type { CycleForm } from './use-cycle-form.ts';

type Props = { record: CycleForm };

const Section = ({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) => (
  <fieldset className={classes['section']}>
    <legend>{title}</legend>
    {hint !== undefined && <p className={classes['hint']}>{hint}</p>}
    {children}
  </fieldset>
);

/** When the steps can be done, and what happens where nobody does them. */
export function WindowFields({ record }: Props) {
  const t = useTranslations('kpiCycles');
  const { form } = record;
  const date = (name: CycleField, label: 'opens' | 'closes') => (
    <DateField {...record.dayProps(name)} label={t(label)} />
  );
  const flag = (name: 'auto_skip_self' | 'auto_accept') => (
    <Switch
      label={t(`field.${name}`)}
      description={t(`${name}Hint`)}
      checked={form.values[name] === 'true'}
      onChange={(event) => form.setFieldValue(name, event.currentTarget.checked ? 'true' : '')}
    />
  );
  return (
    <>
      <Section title={t('selfWindow')} hint={t('windowHint')}>
        <div className={classes['pair']}>
          {date('self_assessment_opens_on', 'opens')}
          {date('self_assessment_closes_on', 'closes')}
        </div>
        {flag('auto_skip_self')}
      </Section>
      <Section title={t('managerWindow')}>
        <div className={classes['pair']}>
          {date('manager_review_opens_on', 'opens')}
          {date('manager_review_closes_on', 'closes')}
        </div>
      </Section>
      <Section title={t('acceptance')}>
        <div className={classes['pair']}>
          <TextInput
            {...form.getInputProps('acceptance_days')}
            label={t('field.acceptance_days')}
            description={t('acceptanceHint')}
            inputMode="numeric"
            maxLength={2}
          />
        </div>
        {flag('auto_accept')}
      </Section>
    </>
  );
}

/** What is fixed when the cycle is published. */
export function FixedFields({ record }: Props) {
  const t = useTranslations('kpiCycles');
  const { form, sign } = record;
  const manager = readNumber(form.values['manager_weight_pct'] ?? '', sign);
  const percent = (name: CycleField, label: 'field.pip_below_pct' | 'field.hipo_from_pct') => (
    <TextInput {...form.getInputProps(name)} label={t(label)} inputMode="decimal" maxLength={6} rightSection="%" />
  );
  return (
    <>
      <Section title={t('eligibility')}>
        <div className={classes['pair']}>
          <TextInput
            {...form.getInputProps('min_service_days')}
            label={t('field.min_service_days')}
            description={t('serviceHint')}
            inputMode="numeric"
            maxLength={3}
          />
        </div>
      </Section>
      <Section title={t('weights')} hint={t('weightsHint')}>
        <div className={classes['pair']}>
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
      <Section title={t('thresholds')} hint={t('thresholdsHint')}>
        <div className={classes['pair']}>
          {percent('pip_below_pct', 'field.pip_below_pct')}
          {percent('hipo_from_pct', 'field.hipo_from_pct')}
        </div>
      </Section>
    </>
  );
}

/** Shares of the bands that are thought right; a report compares with them. */
export function CapFields({ record: { form } }: Props) {
  const t = useTranslations('kpiCycles');
  const caps = splitCaps(form.values['band_caps'] ?? '');
  return (
    <Section title={t('caps')} hint={t('capsHint')}>
      <div className={classes['four']}>
        {bandKeys.map((key, place) => (
          <TextInput
            key={key}
            label={t('bandIs', { band: key.toUpperCase() })}
            value={caps[place] ?? ''}
            error={form.errors[`band_caps.${key}`]}
            inputMode="numeric"
            maxLength={3}
            rightSection="%"
            onChange={(event) =>
              form.setFieldValue('band_caps', joinCaps(caps.with(place, event.currentTarget.value.trim())))
            }
          />
        ))}
      </div>
    </Section>
  );
}
