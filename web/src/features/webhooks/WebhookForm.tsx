import { MultiSelect, NativeSelect, TextInput } from '@mantine/core';
import { eventTypeNames, webhookSignatures, type Reply, type Webhook, type webhooks } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { CompaniesField } from '../../ui/CompaniesField.tsx';
import { RecordFormFrame } from '../../ui/RecordFormFrame.tsx';
import { useRecordForm, type RecordForm, type Version } from '../../ui/use-record-form.ts';
import type { Texts } from '../../ui/versions.ts';
import { bodyOf, fields, valuesOf, type Body, type Field } from './fields.ts';

type Accounts = Reply<typeof webhooks.accounts>['data'];

type Props = {
  /** Identifies the draft of the form. */
  draft: string;
  start: { texts: Texts; revision?: number };
  /** The service accounts that it may belong to. */
  accounts: Accounts;
  submit: string;
  onSend: (body: Body) => Promise<Webhook>;
  onSaved: (saved: Webhook) => void;
  reread?: () => Promise<Version>;
  goOn?: (saved: Webhook) => Version;
};

/** The settings of a webhook. */
export function WebhookForm({ draft, start, accounts, submit, onSend, onSaved, reread, goOn }: Props) {
  const t = useTranslations('webhooks');
  const record = useRecordForm<Webhook>({
    draft,
    start,
    send: (changed, revision) => onSend(revision === undefined ? bodyOf(changed) : { ...bodyOf(changed), revision }),
    onSaved,
    ...(reread && { reread }),
    ...(goOn && { goOn }),
  });
  return (
    <RecordFormFrame record={record} fields={fields} label={(name) => t(`field.${name as Field}`)} submit={submit}>
      <Fields record={record} accounts={accounts} isNew={start.revision === undefined} />
    </RecordFormFrame>
  );
}

const sorted = (values: string[]) => values.toSorted((one, other) => Number(one) - Number(other)).join(',');

type FieldsProps = { record: RecordForm; accounts: Accounts; isNew: boolean };

function Fields({ record: { form }, accounts, isNew }: FieldsProps) {
  const t = useTranslations('webhooks');
  const about = (name: Field) => ({ label: t(`field.${name}`), description: t(`help.${name}`) });
  const input = (name: Field) => ({ ...about(name), ...form.getInputProps(name) });
  const { service_account_id: account = '' } = form.values;
  return (
    <>
      <TextInput key={form.key('name')} {...input('name')} required autoComplete="off" />
      <TextInput key={form.key('url')} {...input('url')} required type="url" autoComplete="off" inputMode="url" />
      <NativeSelect
        key={form.key('service_account_id')}
        {...input('service_account_id')}
        data={[
          ...(accounts.some(({ id }) => String(id) === account) ? [] : [{ value: account, label: t('choose') }]),
          ...accounts.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <Types form={form} readable={accounts.find(({ id }) => String(id) === account)?.types} />
      <CompaniesField
        {...about('entity_ids')}
        all={t('allCompanies')}
        error={form.errors['entity_ids']}
        value={valuesOf(form.values['entity_ids'])}
        onChange={(ids) => form.setFieldValue('entity_ids', sorted(ids))}
      />
      {isNew && (
        <NativeSelect
          key={form.key('signature')}
          {...input('signature')}
          data={webhookSignatures.map((value) => ({ value, label: t(`signature.${value}`) }))}
        />
      )}
    </>
  );
}

/** The types of events; those that the account may not read can be taken off, not put on. */
function Types({ form, readable }: Pick<RecordForm, 'form'> & { readable: readonly string[] | undefined }) {
  const t = useTranslations('webhooks');
  const chosen = valuesOf(form.values['types']);
  const may = new Set(readable ?? eventTypeNames);
  return (
    <MultiSelect
      label={t('field.types')}
      description={t('help.types')}
      error={form.errors['types']}
      data={eventTypeNames.map((value) => ({
        value,
        label: value,
        disabled: !may.has(value) && !chosen.includes(value),
      }))}
      value={chosen}
      placeholder={chosen.length > 0 ? '' : t('allTypes')}
      onChange={(values) => form.setFieldValue('types', eventTypeNames.filter((one) => values.includes(one)).join(','))}
      searchable
      clearable
    />
  );
}
