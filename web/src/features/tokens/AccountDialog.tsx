import { Textarea, TextInput } from '@mantine/core';
import { serviceAccounts, type ServiceAccount } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { Dialog, DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { OwnersField } from '../../ui/OwnersField.tsx';
import { useToast } from '../../ui/toasts.tsx';

type Props = {
  /** The account that is changed; absent for a new one. */
  account?: ServiceAccount;
  opened: boolean;
  onClose: () => void;
  onSaved?: (saved: ServiceAccount) => void;
};

/** The form of a service account. */
export function AccountDialog(props: Props) {
  const t = useTranslations('accessTokens');
  const { account, opened, onClose } = props;
  return (
    <Dialog title={account?.name ?? t('addAccount')} opened={opened} onClose={onClose} size="lg">
      <AccountForm key={`${account?.revision ?? 0} ${String(opened)}`} {...props} />
    </Dialog>
  );
}

const lines = (text: string) => text.split(/[\s,;]+/).filter(Boolean);

function useAccountForm({ account, onClose, onSaved }: Props) {
  const t = useTranslations('accessTokens');
  const toast = useToast();
  const { user } = useSession();
  const [name, setName] = useState(account?.name ?? '');
  const [description, setDescription] = useState(account?.description ?? '');
  const [owners, setOwners] = useState<string[]>(
    account ? account.owners.map(({ user_id: id }) => String(id)) : [String(user?.id)],
  );
  const [networks, setNetworks] = useState(account?.cidrs?.join('\n') ?? '');
  const create = useSend(serviceAccounts.create);
  const update = useSend(serviceAccounts.update);
  const { error, isPending } = account ? update : create;
  const onSuccess = ({ data }: { data: ServiceAccount }) => {
    onClose();
    toast({ text: t(account ? 'saved' : 'added') });
    onSaved?.(data);
  };
  const save = () => {
    const cidrs = lines(networks);
    const body = {
      name: name.trim(),
      description: description.trim() || null,
      owner_ids: owners.map(Number),
      cidrs: cidrs.length > 0 ? cidrs : null,
    };
    if (account)
      update.mutate({ params: { id: account.id }, body: { ...body, revision: account.revision } }, { onSuccess });
    else create.mutate({ body }, { onSuccess });
  };
  return {
    name,
    setName,
    description,
    setDescription,
    owners,
    setOwners,
    networks,
    setNetworks,
    error,
    isPending,
    save,
  };
}

function AccountForm(props: Props) {
  const t = useTranslations('accessTokens');
  const form = useAccountForm(props);
  const { error } = form;
  const errors = error?.fieldErrors ?? {};
  const wrongNetwork = Object.entries(errors).find(([name]) => name.startsWith('cidrs'))?.[1];
  return (
    <DialogForm onSubmit={form.save}>
      <ErrorNotice error={error} fields={['name', 'description', 'owner_ids', 'cidrs']} />
      <TextInput
        label={t('name')}
        description={t('nameHelp')}
        value={form.name}
        onChange={({ currentTarget }) => form.setName(currentTarget.value)}
        error={errors['name']}
        autoComplete="off"
        required
        data-autofocus
      />
      <TextInput
        label={t('description')}
        value={form.description}
        onChange={({ currentTarget }) => form.setDescription(currentTarget.value)}
        error={errors['description']}
        autoComplete="off"
      />
      <OwnersField
        label={t('owners')}
        description={t('ownersHelp')}
        permission="service-accounts.manage"
        known={props.account?.owners ?? []}
        value={form.owners}
        onChange={form.setOwners}
        error={errors['owner_ids']}
        required
      />
      <Textarea
        label={t('networks')}
        description={t('networksHelp')}
        value={form.networks}
        onChange={({ currentTarget }) => form.setNetworks(currentTarget.value)}
        error={wrongNetwork}
        rows={3}
        autoComplete="off"
      />
      <FormActions
        cancel={t('cancel')}
        onCancel={props.onClose}
        submit={t(props.account ? 'save' : 'addAccount')}
        loading={form.isPending}
      />
    </DialogForm>
  );
}
