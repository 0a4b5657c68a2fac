import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { cycleTypes, entities, type KpiCycle } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { DateField } from '../../ui/DateField.tsx';
import { PersonPicker } from '../../ui/PersonPicker.tsx';
import { RecordSelect } from '../../ui/RecordSelect.tsx';
import { today } from '../../ui/time-served.ts';
import { lastDayOf, periodAround } from './fields.ts';
import classes from './form.module.css';
import type { CycleForm } from './use-cycle-form.ts';

type Props = { record: CycleForm; cycle?: KpiCycle | undefined };

/** The name, type, period and company of a cycle. Over 40 lines: one list of fields. */
export function AboutFields({ record, cycle }: Props) {
  const t = useTranslations('kpiCycles');
  const { form } = record;
  const start = (day: string) => {
    const end = form.values['end_date'] === '' ? lastDayOf(form.values['type'] ?? '', day) : undefined;
    form.setFieldValue('start_date', day);
    if (end !== undefined) form.setFieldValue('end_date', end);
  };
  /** Suggests the current period of the type, unless the user entered another one. */
  const choose = (type: string) => {
    const { type: before = '', start_date: from = '', end_date: to = '' } = form.values;
    const [old, next] = [periodAround(before, today()), periodAround(type, today())];
    const isUntouched = (from === '' && to === '') || (from === old?.start && to === old.end);
    form.setFieldValue('type', type);
    if (!cycle && next && isUntouched) form.setValues({ type, start_date: next.start, end_date: next.end });
  };
  return (
    <>
      <TextInput
        {...form.getInputProps('name')}
        label={t('field.name')}
        description={t('nameHint')}
        maxLength={150}
        required
      />
      <div className={classes['fields']}>
        <NativeSelect
          {...form.getInputProps('type')}
          label={t('field.type')}
          data={cycleTypes.map((value) => ({ value, label: t(`type.${value}`) }))}
          onChange={(event) => choose(event.currentTarget.value)}
        />
        <DateField {...record.dayProps('start_date')} label={t('field.start_date')} required onChange={start} />
        <DateField {...record.dayProps('end_date')} label={t('field.end_date')} required />
      </div>
      {cycle ? (
        <p className="muted">
          {t('companyIs')} <bdi>{cycle.entity?.name ?? t('allCompanies')}</bdi>
        </p>
      ) : (
        <Company form={form} />
      )}
      <OwnerField record={record} cycle={cycle} isNew={cycle === undefined} />
      <Textarea {...form.getInputProps('description')} label={t('field.description')} maxLength={5_000} rows={3} />
    </>
  );
}

const errorOf = (form: CycleForm['form'], name: string) => {
  const error = form.errors[name];
  return typeof error === 'string' ? error : undefined;
};

/** Set at creation: the company of a cycle cannot change. */
function Company({ form }: Pick<CycleForm, 'form'>) {
  const t = useTranslations('kpiCycles');
  const { can } = useSession();
  const chosen = form.values['entity_id'] ?? '';
  if (!can('entities.view')) return null;
  return (
    <RecordSelect
      label={t('field.entity_id')}
      labelled
      placeholder={t('allCompanies')}
      description={t('companyHint')}
      list={entities.list}
      one={entities.get}
      value={chosen === '' ? undefined : Number(chosen)}
      onChange={(id) => form.setFieldValue('entity_id', id === undefined ? '' : String(id))}
      error={errorOf(form, 'entity_id')}
    />
  );
}

/** The owner of the cycle. */
export function OwnerField({ record: { form }, cycle, isNew = false }: Props & { isNew?: boolean }) {
  const t = useTranslations('kpiCycles');
  const { can, user } = useSession();
  const chosen = form.values['owner_id'] ?? '';
  // an account without a person cannot own a cycle
  const isDefault = isNew && typeof user?.employee_id === 'number';
  if (!can('employees.view')) return null;
  return (
    <PersonPicker
      label={t('field.owner_id')}
      description={t(isDefault ? 'ownerHintNew' : 'ownerHint')}
      value={chosen === '' ? undefined : Number(chosen)}
      known={String(cycle?.owner_id) === chosen ? cycle?.owner?.name : undefined}
      onChange={(id) => form.setFieldValue('owner_id', id === undefined ? '' : String(id))}
      error={errorOf(form, 'owner_id')}
    />
  );
}
