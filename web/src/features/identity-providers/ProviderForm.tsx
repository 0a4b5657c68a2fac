import { Button, Stack } from '@mantine/core';
import type { IdentityProvider } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ConflictView } from '../../ui/ConflictView.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
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
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        record.save();
      }}
    >
      <Stack gap={16} px="gutter" pb={32} maw="44rem">
        <ErrorNotice error={record.error} fields={shown} />
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
        <div>
          <Button type="submit" loading={record.isPending} disabled={!isDirty}>
            {submit}
          </Button>
        </div>
      </Stack>
      <ConflictView
        differences={record.differences}
        label={(name) => t(`field.${name as Field}`)}
        show={(_name, value) => value}
        onResolve={record.resolve}
        onCancel={record.backToForm}
        saving={record.isPending}
      />
      <LeaveGuard when={isDirty && !record.isPending} />
    </form>
  );
}

/** The fields that no provider is without. */
const required = (texts: Texts): Texts =>
  Object.fromEntries(['name', 'issuer', 'client_id'].map((name) => [name, texts[name] ?? '']));
