import { Button, Group } from '@mantine/core';
import { scimConnections, type ScimConnection } from '@tenure/contract';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { closing } from '../../ui/closing.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { Dialog, DialogActions, DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { TokenEnd } from './State.tsx';

type Question = 'renew' | 'revoke';
type Made = { token: string; expires_at: string };

/** The token of a connection: its end and last use, with buttons to create, replace and revoke it. */
export function Token({ connection }: { connection: ScimConnection }) {
  const t = useTranslations('provisioning.token');
  const [asked, setAsked] = useState<Question>();
  const [made, setMade] = useState<Made>();
  const create = useSend(scimConnections.createToken);
  const { id, token, allowed_actions: allowed } = connection;
  const make = () =>
    create.mutate(
      { params: { id } },
      {
        onSuccess: ({ data }) => {
          setAsked(undefined);
          setMade(data);
        },
      },
    );
  return (
    <DescriptionList title={t('title')} items={useItems(token)} empty={<p>{t('none')}</p>}>
      <p className="muted small" style={{ paddingBlockStart: 8 }}>
        {t('lead')}
      </p>
      <ErrorNotice error={asked === undefined ? create.error : null} />
      {allowed.includes('token') && (
        <Group gap={8} mt={12}>
          <Button
            variant={token ? 'default' : 'filled'}
            loading={create.isPending}
            onClick={() => (token ? setAsked('renew') : make())}
          >
            {t(token ? 'renew' : 'create')}
          </Button>
          {token && (
            <Button variant="default" onClick={() => setAsked('revoke')}>
              {t('revoke')}
            </Button>
          )}
        </Group>
      )}
      <Renew
        connection={connection}
        opened={asked === 'renew'}
        create={create}
        onMake={make}
        onClose={() => setAsked(undefined)}
      />
      <Revoke connection={connection} opened={asked === 'revoke'} onClose={() => setAsked(undefined)} />
      <MadeToken made={made} onClose={() => setMade(undefined)} />
    </DescriptionList>
  );
}

function useItems(token: ScimConnection['token']) {
  const t = useTranslations('provisioning.token');
  if (!token) return [];
  const { hint, created_at, last_used_at: last, last_used_ip: ip } = token;
  return [
    { label: t('hint'), value: <code>{hint}</code> },
    { label: t('created'), value: <Moment value={created_at} /> },
    { label: t('ends'), value: <TokenEnd token={token} /> },
    {
      label: t('used'),
      value:
        last === null ? (
          t('unused')
        ) : (
          <>
            <Moment value={last} /> {ip !== null && <span className="muted">{t('from', { ip })}</span>}
          </>
        ),
    },
  ];
}

type AskProps = { connection: ScimConnection; opened: boolean; onClose: () => void };
type RenewProps = AskProps & {
  create: Pick<ReturnType<typeof useSend<typeof scimConnections.createToken>>, 'error' | 'isPending' | 'reset'>;
  onMake: () => void;
};

/** Asks before replacing the token, since requests with the current one then fail. */
function Renew({ connection: { name }, opened, create, onMake, onClose }: RenewProps) {
  const t = useTranslations('provisioning');
  const close = closing(onClose, create);
  return (
    <Dialog title={t('token.renewTitle', { name })} opened={opened} onClose={close}>
      <DialogForm onSubmit={onMake}>
        <p>{t('token.renewText')}</p>
        <ErrorNotice error={create.error} />
        <FormActions
          cancel={t('cancel')}
          onCancel={close}
          submit={t('token.renewConfirm')}
          color="red"
          loading={create.isPending}
        />
      </DialogForm>
    </Dialog>
  );
}

function Revoke({ connection: { id, name }, opened, onClose }: AskProps) {
  const t = useTranslations('provisioning');
  const toast = useToast();
  const revoke = useSend(scimConnections.revokeToken);
  const close = closing(onClose, revoke);
  const done = () => {
    close();
    toast({ text: t('token.revoked') });
  };
  return (
    <Dialog title={t('token.revokeTitle', { name })} opened={opened} onClose={close}>
      <DialogForm onSubmit={() => revoke.mutate({ params: { id } }, { onSuccess: done })}>
        <p>{t('token.revokeText')}</p>
        <ErrorNotice error={revoke.error} />
        <FormActions
          cancel={t('cancel')}
          onCancel={close}
          submit={t('token.revokeConfirm')}
          color="red"
          loading={revoke.isPending}
        />
      </DialogForm>
    </Dialog>
  );
}

/** A token, shown only this once. */
function MadeToken({ made, onClose }: { made: Made | undefined; onClose: () => void }) {
  const t = useTranslations('provisioning.token');
  const format = useFormatter();
  return (
    <Dialog title={t('madeTitle')} opened={made !== undefined} onClose={onClose} size="lg" showsOnce>
      {made && (
        <>
          <p>{t('madeText', { until: format.dateTime(new Date(made.expires_at), { dateStyle: 'medium' }) })}</p>
          <CopyText text={made.token} label={t('text')} size="sm" />
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>{t('close')}</Button>
      </DialogActions>
    </Dialog>
  );
}
