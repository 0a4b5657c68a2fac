import { Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Choice, Companies, Part, Protocol, useField, type Props } from './Fields.tsx';

/** The metadata of a SAML provider, from an address or as text. */
export function SamlConnection({ record, isNew }: Props & { isNew: boolean }) {
  const t = useTranslations('identityProviders');
  const { key: nameKey, ...name } = useField(record)('name');
  const { key: urlKey, ...url } = useField(record)('metadata_url');
  const { key: xmlKey, ...xml } = useField(record)('metadata_xml');
  return (
    <Part title={t('connection')}>
      {isNew && <Protocol record={record} />}
      <TextInput key={nameKey} {...name} required autoComplete="off" />
      <TextInput key={urlKey} {...url} type="url" autoComplete="off" />
      <Textarea
        key={xmlKey}
        {...xml}
        description={t(isNew ? 'help.metadata_xml' : 'help.keptMetadata')}
        rows={5}
        autoComplete="off"
        spellCheck={false}
      />
    </Part>
  );
}

/** Whom a SAML provider signs in, and the attributes by which their account is found. */
export function SamlPeople({ record }: Props) {
  const t = useTranslations('identityProviders');
  const { key, ...domains } = useField(record)('domains');
  const { key: addressKey, ...address } = useField(record)('address_attribute');
  const { key: subjectKey, ...subject } = useField(record)('subject_attribute');
  const { key: groupsKey, ...groups } = useField(record)('groups_claim');
  const isByAddress = record.form.values['match_rule'] === 'tenant_address';
  return (
    <Part title={t('people')}>
      <Textarea key={key} {...domains} rows={3} autoComplete="off" />
      <Companies record={record} />
      <Choice record={record} name="match_rule" values={['linked_only', 'tenant_address']} />
      <TextInput key={addressKey} {...address} required={isByAddress} autoComplete="off" />
      <TextInput key={subjectKey} {...subject} autoComplete="off" />
      <TextInput key={groupsKey} {...groups} autoComplete="off" />
    </Part>
  );
}
