import { Button, Group } from '@mantine/core';
import { identityProviders, type IdentityProvider } from '@tenure/contract';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { closing } from '../../ui/closing.ts';
import { Dialog, DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useLastShown } from '../../ui/use-last-shown.ts';
import { useToast } from '../../ui/toasts.tsx';

const route = getRouteApi('/shell/settings/sign-in');
type Question = 'enable' | 'disable' | 'delete';

/** Enables, disables and deletes a provider. Each action asks first, since it changes how people sign in. */
export function Switches({ provider }: { provider: IdentityProvider }) {
  const t = useTranslations('identityProviders');
  const [asked, setAsked] = useState<Question>();
  const allowed = new Set(provider.allowed_actions);
  const close = () => setAsked(undefined);
  const buttons = (['delete', 'disable', 'enable'] as const).filter((action) => allowed.has(action));
  return (
    <Group gap={8}>
      {buttons.map((action) => (
        <Button key={action} variant={action === 'enable' ? 'filled' : 'default'} onClick={() => setAsked(action)}>
          {t(`action.${action}`)}
        </Button>
      ))}
      <Confirm provider={provider} asked={asked} onClose={close} />
    </Group>
  );
}

type Props = { provider: IdentityProvider; asked: Question | undefined; onClose: () => void };

function Confirm({ provider: { id, name, revision, linked_count: count }, asked, onClose }: Props) {
  const t = useTranslations('identityProviders');
  const toast = useToast();
  const navigate = route.useNavigate();
  const sends = {
    enable: useSend(identityProviders.enable),
    disable: useSend(identityProviders.disable),
    delete: useSend(identityProviders.delete),
  };
  const { question: shown } = useLastShown(asked && { question: asked }) ?? { question: 'disable' };
  const send = sends[shown];
  const close = closing(onClose, send);
  const done = () => {
    close();
    toast({ text: t(`done.${shown}`, { name }) });
    if (shown === 'delete') void navigate({ search: {}, ignoreBlocker: true });
  };
  const confirm = () =>
    shown === 'delete'
      ? sends.delete.mutate({ params: { id } }, { onSuccess: done })
      : sends[shown].mutate({ params: { id }, body: { revision } }, { onSuccess: done });
  return (
    <Dialog title={t(`ask.${shown}`, { name })} opened={asked !== undefined} onClose={close}>
      <DialogForm onSubmit={confirm}>
        <p>{t(`about.${shown}`, { count })}</p>
        <ErrorNotice error={send.error} />
        <FormActions
          cancel={t('cancel')}
          onCancel={close}
          submit={t(`confirm.${shown}`)}
          loading={send.isPending}
          {...(shown !== 'enable' && { color: 'red' })}
        />
      </DialogForm>
    </Dialog>
  );
}
