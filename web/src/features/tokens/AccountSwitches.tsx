import { Button } from '@mantine/core';
import { serviceAccounts, type ServiceAccount } from '@tenure/contract';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { closing } from '../../ui/closing.ts';
import { Dialog, DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useToast } from '../../ui/toasts.tsx';

const route = getRouteApi('/shell/settings/access-tokens');

/** Enables, disables and deletes a service account; actions that end its tokens ask first. */
export function AccountSwitches({ account }: { account: ServiceAccount }) {
  const t = useTranslations('accessTokens');
  const toast = useToast();
  const navigate = route.useNavigate();
  const [asked, setAsked] = useState<'off' | 'delete'>();
  const { id, name, revision, is_enabled: isOn } = account;
  const update = useSend(serviceAccounts.update);
  const remove = useSend(serviceAccounts.delete);
  const close = closing(() => setAsked(undefined), update, remove);
  const turn = (is_enabled: boolean) =>
    update.mutate(
      { params: { id }, body: { is_enabled, revision } },
      {
        onSuccess: () => {
          close();
          toast({ text: t(is_enabled ? 'switchedOn' : 'switchedOff') });
        },
      },
    );
  const gone = () => {
    close();
    toast({ text: t('deleted') });
    void navigate({ search: {} });
  };
  const isDelete = asked === 'delete';
  return (
    <>
      <Button variant="default" onClick={() => setAsked('delete')}>
        {t('delete')}
      </Button>
      <Button variant="default" onClick={() => (isOn ? setAsked('off') : turn(true))}>
        {t(isOn ? 'switchOff' : 'switchOn')}
      </Button>
      <Dialog
        title={t(isDelete ? 'deleteTitle' : 'switchOffTitle', { name })}
        opened={asked !== undefined}
        onClose={close}
      >
        <DialogForm onSubmit={() => (isDelete ? remove.mutate({ params: { id } }, { onSuccess: gone }) : turn(false))}>
          <p>{t(isDelete ? 'deleteText' : 'switchOffText')}</p>
          <ErrorNotice error={(isDelete ? remove : update).error} />
          <FormActions
            cancel={t('cancel')}
            onCancel={close}
            submit={t(isDelete ? 'deleteConfirm' : 'confirmOff')}
            color="red"
            loading={remove.isPending || update.isPending}
          />
        </DialogForm>
      </Dialog>
    </>
  );
}
