import { Button, MultiSelect, NativeSelect, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { permissionCatalogue, type Permission } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { closing } from '../../ui/closing.ts';
import { CompaniesField } from '../../ui/CompaniesField.tsx';
import { Dialog, DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { usePermissionGroup, usePermissionLabel } from '../../ui/permission-labels.ts';
import { MadeToken } from './MadeToken.tsx';

export type TokenBody = { name: string; permissions: Permission[]; entity_ids: number[] | null; days: number };

type Props = {
  /** The account's permissions, which a token can have. */
  offered: readonly string[];
  days: { choices: readonly number[]; usual: number };
  send: {
    mutate: (body: TokenBody, options: { onSuccess: (reply: { token: string }) => void }) => void;
    error: ApiError | null;
    isPending: boolean;
    reset: () => void;
  };
};

/** A button that creates a token in a dialog, and shows it once. */
export function MakeToken(props: Props) {
  const t = useTranslations('accessTokens');
  const [isOpen, setIsOpen] = useState(false);
  const [made, setMade] = useState<string>();
  const close = closing(() => {
    setIsOpen(false);
    setMade(undefined);
  }, props.send);
  return (
    <>
      <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
        {t('make')}
      </Button>
      <Dialog
        title={t(made === undefined ? 'makeTitle' : 'madeTitle')}
        opened={isOpen}
        onClose={close}
        size="lg"
        showsOnce={made !== undefined}
      >
        {made === undefined ? (
          <TokenForm {...props} onMade={setMade} onCancel={close} />
        ) : (
          <MadeToken token={made} onClose={close} />
        )}
      </Dialog>
    </>
  );
}

/** The permissions to choose from, by family. */
function usePermissionChoices(offered: readonly string[]) {
  const label = usePermissionLabel();
  const group = usePermissionGroup();
  const known = permissionCatalogue.filter(({ name }) => offered.includes(name));
  return [...Map.groupBy(known, (one) => one.group)].map(([family, all]) => ({
    group: group(family),
    items: all.map((one) => ({ value: one.name, label: label(one) })),
  }));
}

/** The message of a field, including one about a value of its list. */
const errorOf = (error: ApiError | null, field: string) =>
  Object.entries(error?.fieldErrors ?? {}).find(([name]) => name === field || name.startsWith(`${field}.`))?.[1];

type FormProps = Props & { onMade: (token: string) => void; onCancel: () => void };

function useTokenForm({ days, send, onMade }: FormProps) {
  const [name, setName] = useState('');
  const [permissions, setPermissions] = useState<string[]>([]);
  const [companies, setCompanies] = useState<string[]>([]);
  const [chosen, setChosen] = useState(days.usual);
  const save = () =>
    send.mutate(
      {
        name: name.trim(),
        permissions: permissions as Permission[],
        entity_ids: companies.length > 0 ? companies.map(Number) : null,
        days: chosen,
      },
      { onSuccess: ({ token }) => onMade(token) },
    );
  return { name, setName, permissions, setPermissions, companies, setCompanies, chosen, setChosen, save };
}

function TokenForm(props: FormProps) {
  const t = useTranslations('accessTokens');
  const { offered, days, send, onCancel } = props;
  const form = useTokenForm(props);
  const { error, isPending } = send;
  const choices = usePermissionChoices(offered);
  return (
    <DialogForm onSubmit={form.save}>
      <ErrorNotice error={error} fields={['name', 'permissions', 'entity_ids', 'days']} />
      <TextInput
        label={t('name')}
        description={t('nameHelp')}
        value={form.name}
        onChange={({ currentTarget }) => form.setName(currentTarget.value)}
        error={errorOf(error, 'name')}
        autoComplete="off"
        required
        data-autofocus
      />
      <MultiSelect
        label={t('permissions')}
        description={t(offered.length > 0 ? 'permissionsHelp' : 'noPermissions')}
        data={choices}
        value={form.permissions}
        onChange={form.setPermissions}
        error={errorOf(error, 'permissions')}
        disabled={offered.length === 0}
        required
        searchable
        clearable
        maxDropdownHeight={280}
      />
      <Companies value={form.companies} onChange={form.setCompanies} error={errorOf(error, 'entity_ids')} />
      <NativeSelect
        label={t('days')}
        data={days.choices.map((count) => ({ value: String(count), label: t('daysCount', { count }) }))}
        value={String(form.chosen)}
        onChange={({ currentTarget }) => form.setChosen(Number(currentTarget.value))}
        error={errorOf(error, 'days')}
      />
      <FormActions cancel={t('cancel')} onCancel={onCancel} submit={t('create')} loading={isPending} />
    </DialogForm>
  );
}

type CompaniesProps = { value: string[]; onChange: (ids: string[]) => void; error?: string | undefined };

/** The companies to which a token is limited; empty for all. */
function Companies({ value, onChange, error }: CompaniesProps) {
  const t = useTranslations('accessTokens');
  return (
    <CompaniesField
      label={t('companies')}
      description={t('companiesHelp')}
      all={t('allCompanies')}
      value={value}
      onChange={onChange}
      error={error}
    />
  );
}
