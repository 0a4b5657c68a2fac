import { MultiSelect, Textarea, TextInput } from '@mantine/core';
import { access, permissionCatalogue, serviceAccounts, type ServiceAccount } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { load, useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { Dialog, DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
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

const managing = permissionCatalogue.find(({ name }) => name === 'service-accounts.manage')?.id ?? 0;

/** Administrators, with those who are owners already. */
function useOwners(account: ServiceAccount | undefined) {
  const found = useQuery(load(access.holders, { params: { id: managing }, query: { per_page: 100 } }));
  const known = [...(account?.owners ?? []), ...(found.data?.data ?? [])];
  const byId = new Map(known.map(({ user_id: id, name }) => [String(id), name]));
  return [...byId].map(([value, label]) => ({ value, label }));
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
  const offered = useOwners(props.account);
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
      <MultiSelect
        label={t('owners')}
        description={t('ownersHelp')}
        data={offered}
        value={form.owners}
        onChange={form.setOwners}
        maxValues={2}
        error={errors['owner_ids']}
        required
        searchable
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
