import { NativeSelect, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { addressClaims, clientAuths, matchRules, providerKinds, subjectClaims, trustedFactors } from '@tenure/contract';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { CompaniesField } from '../../ui/CompaniesField.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import type { RecordForm } from '../../ui/use-record-form.ts';
import { kindOf, partsOf, type Field } from './fields.ts';
import { isOfSaml } from './words.ts';

export type Props = { record: RecordForm };

/** Claims that an organisation assigns; people often enter `email` themselves. */
const provedClaims = addressClaims.filter((claim) => claim !== 'email');

/** The label, the help, the value and the message of a field. */
export function useField({ form }: RecordForm) {
  const t = useTranslations('identityProviders');
  const kind = kindOf(form.values);
  return (name: Field) => ({
    label: isOfSaml(kind, name) ? t(`saml.field.${name}`) : t(`field.${name}`),
    description: isOfSaml(kind, name) ? t(`saml.help.${name}`) : t(`help.${name}`),
    key: form.key(name),
    ...form.getInputProps(name),
  });
}

export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack gap={14} mt={8} renderRoot={(props) => <section {...props} />}>
    <SectionTitle>{title}</SectionTitle>
    {children}
  </Stack>
);

/** How the service reaches the provider, including the secret. */
export function Connection({ record, isNew, children }: Props & { isNew: boolean; children: ReactNode }) {
  const t = useTranslations('identityProviders');
  const { key: nameKey, ...name } = useField(record)('name');
  const { key: issuerKey, ...issuer } = useField(record)('issuer');
  const { key: clientKey, ...client } = useField(record)('client_id');
  const { key: scopesKey, ...scopes } = useField(record)('scopes');
  return (
    <Part title={t('connection')}>
      {isNew && <Protocol record={record} />}
      <TextInput key={nameKey} {...name} required autoComplete="off" />
      <TextInput key={issuerKey} {...issuer} required type="url" autoComplete="off" />
      <TextInput key={clientKey} {...client} required autoComplete="off" />
      {children}
      <Choice record={record} name="client_auth" values={clientAuths} />
      <TextInput key={scopesKey} {...scopes} autoComplete="off" />
    </Part>
  );
}

/** The protocol of a new provider; selecting one also sets its usual rule for matching first sign-ins. */
export const Protocol = ({ record }: Props) => (
  <Choice
    record={record}
    name="kind"
    values={providerKinds}
    onChosen={(kind) => record.form.setFieldValue('match_rule', kind === 'saml' ? 'linked_only' : 'verified_email')}
  />
);

/** Whom the provider signs in, and how their account is found. */
export function People({ record }: Props) {
  const t = useTranslations('identityProviders');
  const { key, ...domains } = useField(record)('domains');
  const { key: groupsKey, ...groups } = useField(record)('groups_claim');
  const { match_rule: rule, address_claim: claim } = record.form.values;
  return (
    <Part title={t('people')}>
      <Textarea key={key} {...domains} rows={3} autoComplete="off" />
      <Companies record={record} />
      <Choice
        record={record}
        name="match_rule"
        values={matchRules}
        onChosen={(chosen) => {
          if (chosen === 'verified_email') record.form.setFieldValue('address_claim', 'email');
          if (chosen === 'tenant_address' && claim === 'email')
            record.form.setFieldValue('address_claim', 'preferred_username');
        }}
      />
      <Choice
        record={record}
        name="address_claim"
        // a stored value stays visible
        values={rule === 'tenant_address' && claim !== 'email' ? provedClaims : addressClaims}
        disabled={rule === 'verified_email'}
      />
      <Choice record={record} name="subject_claim" values={subjectClaims} />
      <TextInput key={groupsKey} {...groups} autoComplete="off" />
    </Part>
  );
}

/** How far a sign-in through the provider is trusted, and for how long. */
export function Sessions({ record, canEndSession = false }: Props & { canEndSession?: boolean | undefined }) {
  const t = useTranslations('identityProviders');
  const { key: valuesKey, ...values } = useField(record)('second_factor_values');
  const { key: hoursKey, ...hours } = useField(record)('session_max_hours');
  return (
    <Part title={t('sessions')}>
      <Choice record={record} name="second_factor" values={trustedFactors} />
      {record.form.values['second_factor'] === 'values' && <TextInput key={valuesKey} {...values} autoComplete="off" />}
      <TextInput key={hoursKey} {...hours} inputMode="decimal" maw="24rem" autoComplete="off" />
      {canEndSession && <EndSession record={record} />}
    </Part>
  );
}

/** Whether signing out here also signs out at the provider. */
function EndSession({ record }: Props) {
  const { key, label, description, error } = useField(record)('end_session');
  return (
    <Switch
      key={key}
      label={label}
      description={description}
      error={error as ReactNode}
      checked={record.form.values['end_session'] === 'true'}
      onChange={({ currentTarget }) => record.form.setFieldValue('end_session', String(currentTarget.checked))}
    />
  );
}

type Chosen = 'kind' | 'client_auth' | 'match_rule' | 'address_claim' | 'subject_claim' | 'second_factor';
type ChoiceProps = Props & {
  name: Chosen;
  values: readonly string[];
  disabled?: boolean;
  onChosen?: (value: string) => void;
};

/** A select with a label for each value. */
export function Choice({ record, name, values, disabled = false, onChosen }: ChoiceProps) {
  const t = useTranslations('identityProviders');
  const { key, ...field } = useField(record)(name);
  const isSaml = kindOf(record.form.values) === 'saml';
  const wordsOf = (value: string) =>
    isSaml && (name === 'second_factor' || name === 'match_rule')
      ? t(`saml.value.${name}.${value}` as 'saml.value.match_rule.linked_only')
      : t(`value.${name}.${value}` as 'value.match_rule.linked_only');
  return (
    <NativeSelect
      key={key}
      {...field}
      disabled={disabled}
      data={values.map((value) => ({ value, label: wordsOf(value) }))}
      onChange={({ currentTarget: { value } }) => {
        record.form.setFieldValue(name, value);
        onChosen?.(value);
      }}
    />
  );
}

/** The companies whose people the provider signs in; empty for all. */
export function Companies({ record }: Props) {
  const t = useTranslations('identityProviders');
  const { key, label, description, error } = useField(record)('entity_ids');
  return (
    <CompaniesField
      key={key}
      label={label}
      description={description}
      all={t('allCompanies')}
      error={error as ReactNode}
      value={partsOf(record.form.values['entity_ids'])}
      onChange={(ids) =>
        record.form.setFieldValue('entity_ids', ids.toSorted((a, b) => Number(a) - Number(b)).join(','))
      }
    />
  );
}
