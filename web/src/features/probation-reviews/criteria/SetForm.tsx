import { Button, Switch, TextInput } from '@mantine/core';
import { entities, probationCriteria, type CriteriaSet } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { call } from '../../../api/call.ts';
import { useSend } from '../../../api/query.ts';
import { RecordConflict } from '../../../ui/RecordConflict.tsx';
import { DialogActions, DialogForm } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { RecordSelect } from '../../../ui/RecordSelect.tsx';
import { useRecordForm, type RecordForm } from '../../../ui/use-record-form.ts';
import { SetCriteria } from './SetCriteria.tsx';
import { criteriaOf, newSet, setBody, setTexts } from './set-values.ts';

type Props = {
  /** Absent for a new set. */
  set: CriteriaSet | undefined;
  onSaved: (set: CriteriaSet) => void;
  onDelete: (() => void) | undefined;
  onClose: () => void;
};

const fields = ['entity_id', 'name', 'criteria', 'is_proposed', 'may_adapt'] as const;
const labels = {
  entity_id: 'company',
  name: 'name',
  criteria: 'criteria',
  is_proposed: 'isProposed',
  may_adapt: 'mayAdapt',
} as const;

/** The form of a new or existing set of criteria. */
export function SetForm({ set, onSaved, onDelete, onClose }: Props) {
  const t = useTranslations('probationCriteria');
  const record = useSetForm(set, onSaved);
  const { form } = record;
  const inputs = criteriaOf(form.values['criteria']).flatMap((_, place) => [
    `criteria.${place}.name`,
    `criteria.${place}.weight`,
    `criteria.${place}.guidance`,
  ]);
  return (
    <DialogForm onSubmit={record.save}>
      <ErrorNotice error={record.error} fields={[...fields, ...inputs]} />
      <TextInput label={t('name')} maxLength={120} required data-autofocus {...form.getInputProps('name')} />
      {!set && <Company record={record} />}
      <SetCriteria form={form} />
      <Choice record={record} name="is_proposed" hint="isProposedHint" />
      <Choice record={record} name="may_adapt" hint="mayAdaptHint" />
      <DialogActions>
        {onDelete && (
          <Button variant="subtle" color="red" onClick={onDelete} mr="auto">
            {t('delete')}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={record.isPending}>
          {t(set ? 'save' : 'create')}
        </Button>
      </DialogActions>
      <RecordConflict
        record={record}
        label={(name) => t(labels[name as 'name'])}
        show={(name, value) => <Value name={name} value={value} />}
      />
      <LeaveGuard when={record.isDirty && !record.isPending} within={({ search }) => 'dialog' in search} />
    </DialogForm>
  );
}

function useSetForm(set: CriteriaSet | undefined, onSaved: (set: CriteriaSet) => void) {
  const create = useSend(probationCriteria.create);
  const update = useSend(probationCriteria.update);
  return useRecordForm<CriteriaSet>({
    draft: `probation-criteria.${set?.id ?? 'new'}`,
    start: set ? { texts: setTexts(set), revision: set.revision } : { texts: newSet },
    send: async (changed, revision) => {
      if (set)
        return (await update.mutateAsync({ params: { id: set.id }, body: { ...setBody(changed), revision } })).data;
      const whole = { ...newSet, ...changed };
      const body = { name: '', criteria: [], ...setBody(whole), entity_id: Number(whole['entity_id']) };
      // without a company, the service reports that it is required
      return (await create.mutateAsync({ body: { ...body, ...(!whole['entity_id'] && { entity_id: null }) } })).data;
    },
    reread: async () => {
      const { data } = await call(probationCriteria.get, { params: { id: set?.id ?? 0 } });
      return { texts: setTexts(data), revision: data.revision };
    },
    onSaved,
  });
}

function Company({ record: { form } }: { record: RecordForm }) {
  const t = useTranslations('probationCriteria');
  const [id, error] = [form.values['entity_id'] ?? '', form.errors['entity_id']];
  return (
    <RecordSelect
      label={t('company')}
      labelled
      required
      description={t('companyHint')}
      list={entities.list}
      value={id === '' ? undefined : Number(id)}
      onChange={(chosen) => form.setFieldValue('entity_id', chosen === undefined ? '' : String(chosen))}
      error={typeof error === 'string' ? error : undefined}
    />
  );
}

type ChoiceProps = {
  record: RecordForm;
  name: 'is_proposed' | 'may_adapt';
  hint: 'isProposedHint' | 'mayAdaptHint';
};

function Choice({ record: { form }, name, hint }: ChoiceProps) {
  const t = useTranslations('probationCriteria');
  return (
    <Switch
      label={t(labels[name])}
      description={t(hint)}
      checked={form.values[name] === '1'}
      error={form.errors[name]}
      onChange={(event) => form.setFieldValue(name, event.currentTarget.checked ? '1' : '')}
    />
  );
}

/** A value in one of two conflicting versions. */
function Value({ name, value }: { name: string; value: string }) {
  if (name === 'criteria')
    return criteriaOf(value)
      .map((one) => `${one.name} ${one.weight}%`)
      .join(' · ');
  return name === 'name' ? <bdi>{value}</bdi> : value === '1' ? '✓' : '–';
}
