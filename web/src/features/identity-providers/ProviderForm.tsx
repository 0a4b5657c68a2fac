import type { IdentityProvider } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { RecordFormFrame } from '../../ui/RecordFormFrame.tsx';
import { useRecordForm, type Version } from '../../ui/use-record-form.ts';
import type { Texts } from '../../ui/versions.ts';
import { bodyOf, byField, fieldsOf, kindOf, ofKind, type Body, type Field } from './fields.ts';
import { Connection, People, Sessions } from './Fields.tsx';
import { SamlConnection, SamlPeople } from './SamlFields.tsx';
import { isOfSaml } from './words.ts';

type Props = {
  /** Identifies the draft of the form. */
  draft: string;
  start: { texts: Texts; revision?: number };
  submit: string;
  /** A stored secret stays unless another one is entered. */
  hasSecret?: boolean;
  /** The provider has an end-session address. */
  canEndSession?: boolean;
  onSend: (body: Body) => Promise<IdentityProvider>;
  onSaved: (saved: IdentityProvider) => void;
  reread?: () => Promise<Version>;
  goOn?: (saved: IdentityProvider) => Version;
};

const shownOf = { oidc: [...fieldsOf.oidc, 'client_secret'], saml: fieldsOf.saml } as const;

/** The secret is not part of the record, so that no draft stores it. */
function useProviderForm({ draft, start, onSend, onSaved, reread, goOn }: Props) {
  const [secret, setSecret] = useState('');
  const isNew = start.revision === undefined;
  // set below to the values of the current render, for use when the form is sent
  let isByKey = false;
  let kind = kindOf(start.texts);
  const record = useRecordForm<IdentityProvider>({
    draft,
    start,
    send: async (changed, revision) => {
      // a new provider is sent with all required fields, so that the service names each missing one
      const texts = ofKind(kind, isNew ? { ...changed, ...required(changed) } : changed);
      const isSent = (isNew || secret) && !isByKey && kind === 'oidc';
      const body = { ...bodyOf(texts), ...(isSent && { client_secret: secret }) };
      return onSend(revision === undefined ? body : { ...body, revision }).catch((error: unknown) => {
        throw byField(error);
      });
    },
    onSaved: (saved) => {
      setSecret('');
      onSaved(saved);
    },
    ...(reread && { reread }),
    ...(goOn && { goOn }),
  });
  isByKey = record.form.values['client_auth'] === 'private_key_jwt';
  kind = kindOf(record.form.values);
  return { record, secret, setSecret, kind, isNew, isByKey, isDirty: record.isDirty || secret !== '' };
}

/** The settings of a provider. */
export function ProviderForm(props: Props) {
  const t = useTranslations('identityProviders');
  const { submit, hasSecret = false, canEndSession } = props;
  const { record, secret, setSecret, kind, isNew, isByKey, isDirty } = useProviderForm(props);
  const labelOf = (name: Field) => (isOfSaml(kind, name) ? t(`saml.field.${name}`) : t(`field.${name}`));
  return (
    <RecordFormFrame
      record={record}
      fields={shownOf[kind]}
      label={(name) => labelOf(name as Field)}
      submit={submit}
      isDirty={isDirty}
    >
      {kind === 'saml' ? (
        <>
          <SamlConnection record={record} isNew={isNew} />
          <SamlPeople record={record} />
        </>
      ) : (
        <>
          <Connection record={record} isNew={isNew}>
            {!isByKey && (
              <PasswordField
                size="sm"
                label={t('field.client_secret')}
                description={t(hasSecret ? 'help.keptSecret' : 'help.client_secret')}
                autoComplete="off"
                value={secret}
                error={record.error?.fieldErrors['client_secret']}
                onChange={({ currentTarget }) => setSecret(currentTarget.value)}
              />
            )}
          </Connection>
          <People record={record} />
        </>
      )}
      <Sessions record={record} canEndSession={canEndSession} />
    </RecordFormFrame>
  );
}

/** The fields that every provider has. */
const required = (texts: Texts): Texts =>
  Object.fromEntries(['name', 'issuer', 'client_id'].map((name) => [name, texts[name] ?? '']));
