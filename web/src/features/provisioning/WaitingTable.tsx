import { Button, Group, Stack } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { scimConnections, type ProvisionedPerson } from '@tenure/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useSend } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { CardOf } from '../../ui/CardOf.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { useDeferred } from '../../ui/deferred.ts';
import { LinkPerson } from '../../ui/LinkPerson.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import type { PageMeta } from '../../ui/Pager.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useDismissal } from '../../ui/use-dismissal.ts';

const keyOf = ({ id }: ProvisionedPerson) => `provisioned.${id}`;
const calledOf = ({ display_name: name, user_name }: ProvisionedPerson) => name ?? user_name;

type Props = {
  query: UseQueryResult<{ data: ProvisionedPerson[]; meta: PageMeta }, ApiError>;
  isSearched: boolean;
  /** The users come from several connections. */
  showsConnection?: boolean;
  onPage: (page: number) => void;
};

/** Users of identity providers without an account, to link to an employee, add as one, or remove from the list. */
export function WaitingTable({ query, isSearched, showsConnection = false, onPage }: Props) {
  const t = useTranslations('provisioningWaiting');
  const [linking, setLinking] = useState<ProvisionedPerson>();
  const columns = useColumns(setLinking, useDismiss(), showsConnection);
  const gone = useDeferred();
  const shown = query.data && {
    ...query,
    data: { ...query.data, data: query.data.data.filter((row) => !gone.has(keyOf(row))) },
  };
  return (
    <>
      <ListView<ProvisionedPerson>
        query={shown ?? query}
        label={t('title')}
        columns={columns}
        rowKey={({ id }) => id}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={onPage}
        empty={
          isSearched ? (
            <Message title={t('noResult')} />
          ) : (
            <Message icon={IconUserCheck} title={t('none')}>
              {t('noneText')}
            </Message>
          )
        }
      />
      <LinkDialog key={linking?.id ?? ''} person={linking} onClose={() => setLinking(undefined)} />
    </>
  );
}

function useDismiss() {
  const t = useTranslations('provisioningWaiting');
  const words = { dismissed: t('dismissed'), failed: t('notDismissed') };
  const { waiting, allWaiting, get } = scimConnections;
  const dismiss = useDismissal(words, waiting.path, allWaiting.path, get.path);
  return (row: ProvisionedPerson) =>
    dismiss(keyOf(row), (options) =>
      call(scimConnections.dismissWaiting, { params: { id: row.connection.id, waitingId: row.id } }, options),
    );
}

/** A cell with several lines truncates each of them itself; on a phone there is room for whole lines. */
const cut = { overflow: 'hidden', textOverflow: 'ellipsis' } as const;

type OnRow = (row: ProvisionedPerson) => void;

function useColumns(onLink: OnRow, onDismiss: OnRow, showsConnection: boolean): Column<ProvisionedPerson>[] {
  const t = useTranslations('provisioningWaiting');
  return [
    {
      id: 'name',
      header: t('name'),
      cell: (row) => (
        <Stack gap={0}>
          <bdi style={cut}>{calledOf(row)}</bdi>
          {row.display_name !== null && (
            <bdi className="muted small" style={cut}>
              {row.user_name}
            </bdi>
          )}
          {row.email !== null && row.email !== row.user_name && (
            <bdi className="muted small" style={cut}>
              {row.email}
            </bdi>
          )}
        </Stack>
      ),
    },
    ...(showsConnection
      ? [
          {
            id: 'connection',
            header: t('connection'),
            cell: ({ connection }: ProvisionedPerson) => <bdi>{connection.name}</bdi>,
          },
        ]
      : []),
    { id: 'number', header: t('number'), cell: ({ employee_number: number }) => <bdi>{number ?? '–'}</bdi> },
    { id: 'department', header: t('department'), cell: ({ department }) => <bdi>{department ?? '–'}</bdi> },
    {
      id: 'active',
      header: t('active'),
      cell: ({ is_active: isOn }) => (
        <StatusBadge tone={isOn ? 'good' : 'quiet'} label={t(isOn ? 'isActive' : 'isInactive')} />
      ),
    },
    { id: 'since', header: t('since'), cell: ({ created_at }) => <Moment value={created_at} /> },
    {
      id: 'actions',
      header: t('actions'),
      headerHidden: true,
      cell: (row) => (
        <Group gap={6} wrap="nowrap" justify="flex-end">
          {row.allowed_actions.includes('link') && <Act label={t('link')} row={row} onClick={onLink} />}
          {row.allowed_actions.includes('create') && <Add label={t('create')} row={row} />}
          {row.allowed_actions.includes('dismiss') && <Act label={t('dismiss')} row={row} onClick={onDismiss} />}
        </Group>
      ),
    },
  ];
}

const Act = ({ label, row, onClick }: { label: string; row: ProvisionedPerson; onClick: OnRow }) => (
  <Button variant="default" size="compact-sm" onClick={() => onClick(row)}>
    {label}
    <span className="visually-hidden"> {calledOf(row)}</span>
  </Button>
);

/** A link to the form of a new person, prefilled with the identity provider's data. */
const Add = ({ label, row }: { label: string; row: ProvisionedPerson }) => (
  <Button
    variant="default"
    size="compact-sm"
    renderRoot={(props) => (
      <Link {...props} to={paths.newEmployee} search={{ connection: row.connection.id, user: row.id }} />
    )}
  >
    {label}
    <span className="visually-hidden"> {calledOf(row)}</span>
  </Button>
);

/** Links a user to an employee, whose sign-in the identity provider then controls. */
function LinkDialog({ person, onClose }: { person: ProvisionedPerson | undefined; onClose: () => void }) {
  const t = useTranslations('provisioningWaiting');
  const toast = useToast();
  const link = useSend(scimConnections.linkWaiting);
  const name = person ? calledOf(person) : '';
  const connection = person?.connection.name ?? '';
  const save = (employee_id: number) =>
    person &&
    link.mutate(
      { params: { id: person.connection.id, waitingId: person.id }, body: { employee_id } },
      {
        onSuccess: () => {
          onClose();
          toast({ text: t('linked', { name }) });
        },
      },
    );
  return (
    <LinkPerson
      title={t('linkTitle', { name })}
      opened={person !== undefined}
      error={link.error}
      isPending={link.isPending}
      onLink={save}
      onClose={onClose}
    >
      <p>{t('linkText', { connection })}</p>
      {person?.is_active === false && <p>{t('linkOff', { connection })}</p>}
    </LinkPerson>
  );
}
