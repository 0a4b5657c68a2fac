import { NativeSelect, TextInput } from '@mantine/core';
import { webhookSignatures, type Reply, type Webhook, type webhooks } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { CompaniesField } from '../../ui/CompaniesField.tsx';
import { RecordFormFrame } from '../../ui/RecordFormFrame.tsx';
import { useRecordForm, type RecordForm, type Version } from '../../ui/use-record-form.ts';
import type { Texts } from '../../ui/versions.ts';
import { allTypes, bodyOf, fields, valuesOf, type Body, type Field } from './fields.ts';
import { TypesField } from './TypesField.tsx';

type Accounts = Reply<typeof webhooks.accounts>['data'];

type Props = {
  /** Identifies the draft of the form. */
  draft: string;
  start: { texts: Texts; revision?: number };
  /** The service accounts that the webhook may belong to. */
  accounts: Accounts;
  /** The account that it belongs to now, which may not be in the list. */
  account?: { id: number; name: string };
  submit: string;
  onSend: (body: Body) => Promise<Webhook>;
  onSaved: (saved: Webhook) => void;
  reread?: () => Promise<Version>;
  goOn?: (saved: Webhook) => Version;
};

/** The settings of a webhook. */
export function WebhookForm({ draft, start, accounts, account, submit, onSend, onSaved, reread, goOn }: Props) {
  const t = useTranslations('webhooks');
  const record = useRecordForm<Webhook>({
    draft,
    start,
    send: (changed, revision) => onSend(revision === undefined ? bodyOf(changed) : { ...bodyOf(changed), revision }),
    onSaved,
    ...(reread && { reread }),
    ...(goOn && { goOn }),
  });
  const nameOf = (id: string) =>
    [...accounts, ...(account ? [account] : [])].find((one) => String(one.id) === id)?.name;
  const show = (name: string, value: string) => {
    if (name === 'service_account_id') return nameOf(value) ?? value;
    return name === 'types' && value === allTypes ? t('allTypes') : value;
  };
  return (
    <RecordFormFrame
      record={record}
      fields={fields}
      label={(name) => t(`field.${name as Field}`)}
      show={show}
      submit={submit}
    >
      <Fields record={record} accounts={accounts} nameOf={nameOf} isNew={start.revision === undefined} />
    </RecordFormFrame>
  );
}

const sorted = (values: string[]) => values.toSorted((one, other) => Number(one) - Number(other)).join(',');

type FieldsProps = {
  record: RecordForm;
  accounts: Accounts;
  nameOf: (account: string) => string | undefined;
  isNew: boolean;
};

function Fields({ record: { form }, accounts, nameOf, isNew }: FieldsProps) {
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
          ...(accounts.some(({ id }) => String(id) === account)
            ? []
            : [{ value: account, label: nameOf(account) ?? t('choose') }]),
          ...accounts.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <TypesField form={form} readable={accounts.find(({ id }) => String(id) === account)?.types} />
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
