import type { IdentityProvider } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { RecordFormFrame } from '../../ui/RecordFormFrame.tsx';
import { useRecordForm, type Version } from '../../ui/use-record-form.ts';
import type { Texts } from '../../ui/versions.ts';
import { bodyOf, byField, fields, type Body, type Field } from './fields.ts';
import { Connection, People, Sessions } from './Fields.tsx';

type Props = {
  /** Identifies the draft of the form. */
  draft: string;
  start: { texts: Texts; revision?: number };
  submit: string;
  /** A stored secret stays unless another one is entered. */
  hasSecret?: boolean;
  onSend: (body: Body) => Promise<IdentityProvider>;
  onSaved: (saved: IdentityProvider) => void;
  reread?: () => Promise<Version>;
  goOn?: (saved: IdentityProvider) => Version;
};

const shown = [...fields, 'client_secret'];

/** The secret is no part of the record, so that no draft keeps it. */
function useProviderForm({ draft, start, onSend, onSaved, reread, goOn }: Props) {
  const [secret, setSecret] = useState('');
  const isNew = start.revision === undefined;
  // as it is when the form is sent
  let isByKey = false;
  const record = useRecordForm<IdentityProvider>({
    draft,
    start,
    send: async (changed, revision) => {
      // a new provider is sent whole, so that each field that lacks a value is named
      const texts = isNew ? { ...changed, ...required(changed) } : changed;
      const isSent = (isNew || secret) && !isByKey;
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
  return { record, secret, setSecret, isByKey, isDirty: record.isDirty || secret !== '' };
}

/** The settings of a provider. */
export function ProviderForm(props: Props) {
  const t = useTranslations('identityProviders');
  const { submit, hasSecret = false } = props;
  const { record, secret, setSecret, isByKey, isDirty } = useProviderForm(props);
  return (
    <RecordFormFrame
      record={record}
      fields={shown}
      label={(name) => t(`field.${name as Field}`)}
      submit={submit}
      isDirty={isDirty}
    >
      <Connection record={record}>
        {!isByKey && (
          <PasswordField
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
      <Sessions record={record} />
    </RecordFormFrame>
  );
}

/** The fields that no provider is without. */
const required = (texts: Texts): Texts =>
  Object.fromEntries(['name', 'issuer', 'client_id'].map((name) => [name, texts[name] ?? '']));
