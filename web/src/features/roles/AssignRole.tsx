import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import type { Role } from '@tenure/contract';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../paths.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { PersonPicker } from '../../ui/PersonPicker.tsx';
import { useRoleName } from '../../ui/role-name.ts';

/** Selects the person who gets a role; their access page has the companies, the effects and the button to save. */
export function AssignRole({ role }: { role: Role }) {
  const t = useTranslations('roles');
  const navigate = useNavigate();
  const roleName = useRoleName();
  const [isOpen, dialog] = useDisclosure(false);
  const choose = (id: number | undefined) => {
    if (id === undefined) return;
    void navigate({ to: paths.employee, params: { id: String(id) }, search: { tab: 'access', role: role.id } });
  };
  return (
    <>
      <Button variant="default" leftSection={<IconUserPlus size={16} aria-hidden />} onClick={dialog.open}>
        {t('assign')}
      </Button>
      <Dialog opened={isOpen} onClose={dialog.close} title={t('assignTitle', { role: roleName(role.name) })}>
        <p className="muted">{t('assignText')}</p>
        <PersonPicker label={t('person')} value={undefined} onChange={choose} />
      </Dialog>
    </>
  );
}
