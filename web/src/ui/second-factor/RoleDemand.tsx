import { Button, type ButtonProps } from '@mantine/core';
import { secondFactorDemands, type RoleDemand } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { Dialog, DialogForm, FormActions } from '../Dialog.tsx';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { useRoleName } from '../role-name.ts';
import { useToast } from '../toasts.tsx';
import { DemandChoice } from './DemandChoice.tsx';

type Props = {
  role: RoleDemand;
  label: string;
  size?: ButtonProps['size'];
  opened: boolean;
  onOpen: (isOpen: boolean) => void;
};

/** Changes from which day the holders of a role need a second factor. */
export function RoleDemandButton({ role, label, size, opened, onOpen }: Props) {
  const t = useTranslations('signInRules');
  const roleName = useRoleName();
  const name = roleName(role.name);
  return (
    <>
      <Button variant="default" {...(size && { size })} onClick={() => onOpen(true)}>
        {label}
        <span className="visually-hidden"> {name}</span>
      </Button>
      <Dialog title={t('demandTitle', { name })} opened={opened} onClose={() => onOpen(false)}>
        <DemandForm role={role} name={name} onDone={() => onOpen(false)} />
      </Dialog>
    </>
  );
}

function DemandForm({ role, name, onDone }: { role: RoleDemand; name: string; onDone: () => void }) {
  const t = useTranslations('signInRules');
  const toast = useToast();
  const [day, setDay] = useState(role.second_factor_from);
  const { id, revision } = role;
  const send = useSend(secondFactorDemands.updateRole);
  const save = () =>
    send.mutate(
      { params: { id }, body: { second_factor_from: day, revision } },
      {
        onSuccess: () => {
          onDone();
          toast({ text: t('demandSaved', { name }) });
        },
      },
    );
  return (
    <DialogForm onSubmit={save}>
      <p>{t('demandText', { count: role.without_factor_count })}</p>
      <ErrorNotice error={send.error} fields={['second_factor_from']} />
      <DemandChoice
        stored={role.second_factor_from}
        value={day}
        onChange={setDay}
        error={send.error?.fieldErrors['second_factor_from']}
      />
      <FormActions
        cancel={t('cancel')}
        onCancel={onDone}
        submit={t('demandSave')}
        loading={send.isPending}
        disabled={day === role.second_factor_from || day === ''}
      />
    </DialogForm>
  );
}
