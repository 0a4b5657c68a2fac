import { ActionIcon, Button, Flex, Menu } from '@mantine/core';
import { IconBell, IconDots, IconSend } from '@tabler/icons-react';
import type { KpiCycle } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../paths.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { usePhone } from '../../ui/use-phone.ts';
import { CycleStatus, Days } from './CycleProgress.tsx';
import type { CycleDialog } from './search.ts';

type Props = { cycle: KpiCycle; onDialog: (name: CycleDialog) => void };

/** The API action of each dialog. */
const actionOf: Record<CycleDialog, string> = {
  publish: 'publish',
  edit: 'update',
  owner: 'update',
  remind: 'remind',
  close: 'close',
  reopen: 'reopen',
  delete: 'delete',
};

/** The dialogs that the service allows for a cycle now. A draft is edited in the wizard. */
export const dialogsFor = ({ status, allowed_actions: allowed }: KpiCycle): CycleDialog[] =>
  (Object.keys(actionOf) as CycleDialog[]).filter(
    (name) => allowed.includes(actionOf[name]) && (name !== 'edit' || status !== 'draft'),
  );

/** The name, state and actions of a cycle. */
export function CycleHeader({ cycle, onDialog }: Props) {
  const t = useTranslations('kpiCycles');
  const phone = usePhone();
  const offered = dialogsFor(cycle);
  const { id, status, allowed_actions: allowed } = cycle;
  const isMain = (name: CycleDialog) =>
    name === 'publish'
      ? status === 'draft' || cycle.published_departments_count < cycle.departments_count
      : name === 'remind' && !phone;
  return (
    <PageHeader title={cycle.name} lead={<Lead cycle={cycle} />}>
      {status === 'draft' && allowed.includes('update') && (
        <Button
          renderRoot={(props) => <Link {...props} to={paths.newKpiCycle} search={{ cycle: id, step: 'details' }} />}
          variant="default"
        >
          {t('do.continue')}
        </Button>
      )}
      {offered.includes('remind') && isMain('remind') && (
        <Button variant="default" leftSection={<IconBell size={16} aria-hidden />} onClick={() => onDialog('remind')}>
          {t('do.remind')}
        </Button>
      )}
      {offered.includes('publish') && isMain('publish') && (
        <Button leftSection={<IconSend size={16} aria-hidden />} onClick={() => onDialog('publish')}>
          {t(status === 'draft' ? 'do.publish' : 'do.publishMore')}
        </Button>
      )}
      <Actions name={cycle.name} offered={offered.filter((name) => !isMain(name))} onDialog={onDialog} />
    </PageHeader>
  );
}

type ActionsProps = { name: string; offered: readonly CycleDialog[]; onDialog: (name: CycleDialog) => void };

function Actions({ name, offered, onDialog }: ActionsProps) {
  const t = useTranslations('kpiCycles');
  if (offered.length === 0) return null;
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={t('menu', { name })}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {offered.map((one) => (
          <Menu.Item key={one} onClick={() => onDialog(one)} {...(one === 'delete' && { color: 'red' })}>
            {t(one === 'publish' ? 'do.publishNew' : `do.${one}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Lead({ cycle }: { cycle: KpiCycle }) {
  const t = useTranslations('kpiCycles');
  return (
    <Flex component="span" wrap="wrap" align="center" gap="4px 12px">
      <CycleStatus {...cycle} />
      <span>{t(`type.${cycle.type}`)}</span>
      <Days from={cycle.start_date} to={cycle.end_date} />
      <bdi>{cycle.entity?.name ?? t('allCompanies')}</bdi>
      <bdi>{cycle.owner ? t('ownedBy', { name: cycle.owner.name }) : t('noOwner')}</bdi>
    </Flex>
  );
}
