import { Button } from '@mantine/core';
import { webhooks, type Webhook } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { closing } from '../../ui/closing.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { Dialog, DialogActions, DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useLastShown } from '../../ui/use-last-shown.ts';
import { useToast } from '../../ui/toasts.tsx';

/** How requests are signed, with a button to create a new key. */
export function Signature({ webhook }: { webhook: Webhook }) {
  const t = useTranslations('webhooks');
  const [isAsked, setAsked] = useState(false);
  const [secret, setSecret] = useState<string>();
  const { signature, public_key: key, previous_until: until, allowed_actions: allowed } = webhook;
  return (
    <DescriptionList
      title={t('field.signature')}
      items={[
        { label: t('kind'), value: t(`signature.${signature}`) },
        until !== null && { label: t(`secret.${signature}.previous`), value: <Moment value={until} /> },
      ]}
    >
      {key !== null && <CopyText text={key} label={t('secret.public')} />}
      <p className="muted small" style={{ paddingBlock: 8 }}>
        {t('secret.lead')}
      </p>
      {allowed.includes('secret') && (
        <Button variant="default" onClick={() => setAsked(true)}>
          {t(`secret.${signature}.renew`)}
        </Button>
      )}
      <Renew webhook={webhook} opened={isAsked} onMade={setSecret} onClose={() => setAsked(false)} />
      <ShownSecret secret={secret} onClose={() => setSecret(undefined)} />
    </DescriptionList>
  );
}

type RenewProps = {
  webhook: Webhook;
  opened: boolean;
  onMade: (secret: string | undefined) => void;
  onClose: () => void;
};

/** Asks before creating a new key; the current one also signs for another day. */
function Renew({ webhook: { id, name, revision, signature }, opened, onMade, onClose }: RenewProps) {
  const t = useTranslations('webhooks');
  const toast = useToast();
  const send = useSend(webhooks.secret);
  const close = closing(onClose, send);
  const renew = () =>
    send.mutate(
      { params: { id }, body: { revision } },
      {
        onSuccess: ({ secret }) => {
          close();
          onMade(secret ?? undefined);
          toast({ text: t(`secret.${signature}.renewed`) });
        },
      },
    );
  return (
    <Dialog title={t(`secret.${signature}.ask`, { name })} opened={opened} onClose={close}>
      <DialogForm onSubmit={renew}>
        <p>{t(`secret.${signature}.about`)}</p>
        <ErrorNotice error={send.error} />
        <FormActions
          cancel={t('cancel')}
          onCancel={close}
          submit={t(`secret.${signature}.confirm`)}
          loading={send.isPending}
        />
      </DialogForm>
    </Dialog>
  );
}

/** A secret, shown only this once. */
export function ShownSecret({ secret, onClose }: { secret: string | undefined; onClose: () => void }) {
  const t = useTranslations('webhooks');
  const shown = useLastShown(secret === undefined ? undefined : { secret });
  return (
    <Dialog title={t('secret.copy')} opened={secret !== undefined} onClose={onClose} showsOnce>
      <p>{t('secret.once')}</p>
      <CopyText text={shown?.secret ?? ''} label={t('secret.secret')} size="sm" />
      <DialogActions>
        <Button onClick={onClose}>{t('secret.done')}</Button>
      </DialogActions>
    </Dialog>
  );
}
