import { NativeSelect, TextInput } from '@mantine/core';
import { identityProviders, unmatchedRules, type ActorRef, type ScimConnection } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { CompaniesField } from '../../ui/CompaniesField.tsx';
import { OwnersField } from '../../ui/OwnersField.tsx';
import { RecordFormFrame } from '../../ui/RecordFormFrame.tsx';
import { useRecordForm, type RecordForm, type Version } from '../../ui/use-record-form.ts';
import type { Texts } from '../../ui/versions.ts';
import { bodyOf, fields, idsOf, type Body, type Field } from './fields.ts';

type Props = {
  /** Identifies the draft of the form. */
  draft: string;
  /** The owners whose names are known. */
  owners: readonly ActorRef[];
  start: { texts: Texts; revision?: number };
  submit: string;
  onSend: (body: Body) => Promise<ScimConnection>;
  onSaved: (saved: ScimConnection) => void;
  reread?: () => Promise<Version>;
  goOn?: (saved: ScimConnection) => Version;
};

/** The settings of a connection. */
export function ConnectionForm({ draft, owners, start, submit, onSend, onSaved, reread, goOn }: Props) {
  const t = useTranslations('provisioning');
  const record = useRecordForm<ScimConnection>({
    draft,
    start,
    send: (changed, revision) => onSend(revision === undefined ? bodyOf(changed) : { ...bodyOf(changed), revision }),
    onSaved,
    ...(reread && { reread }),
    ...(goOn && { goOn }),
  });
  return (
    <RecordFormFrame record={record} fields={fields} label={(name) => t(`field.${name as Field}`)} submit={submit}>
      <Fields record={record} owners={owners} />
    </RecordFormFrame>
  );
}

function Fields({ record: { form }, owners }: { record: RecordForm; owners: readonly ActorRef[] }) {
  const t = useTranslations('provisioning');
  const about = (name: Field) => ({ label: t(`field.${name}`), description: t(`help.${name}`) });
  const providers = useQuery(load(identityProviders.list, { query: { per_page: 100, sort_by: 'name' } }));
  const offered = providers.data?.data ?? [];
  return (
    <>
      <TextInput
        key={form.key('name')}
        {...about('name')}
        {...form.getInputProps('name')}
        required
        autoComplete="off"
      />
      <CompaniesField
        {...about('entity_ids')}
        all={t('allCompanies')}
        error={form.errors['entity_ids']}
        value={idsOf(form.values['entity_ids'])}
        onChange={(ids) =>
          form.setFieldValue('entity_ids', ids.toSorted((one, other) => Number(one) - Number(other)).join(','))
        }
      />
      {offered.length > 0 && (
        <NativeSelect
          key={form.key('provider_id')}
          {...about('provider_id')}
          {...form.getInputProps('provider_id')}
          data={[
            { value: '', label: t('noProvider') },
            ...offered.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
      )}
      <NativeSelect
        key={form.key('unmatched')}
        {...about('unmatched')}
        {...form.getInputProps('unmatched')}
        data={unmatchedRules.map((value) => ({ value, label: t(`value.${value}`) }))}
      />
      <OwnersField
        {...about('owner_ids')}
        permission="identity.manage"
        known={owners}
        error={form.errors['owner_ids']}
        value={idsOf(form.values['owner_ids'])}
        onChange={(ids) => form.setFieldValue('owner_ids', ids.join(','))}
      />
    </>
  );
}
