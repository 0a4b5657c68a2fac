import { Button, Group, Tabs } from '@mantine/core';
import { IconUserCheck, IconUserPlus } from '@tabler/icons-react';
import { identityProviders, type WaitingPerson } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import { CardOf } from '../../ui/CardOf.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { useDeferred } from '../../ui/deferred.ts';
import { Filters } from '../../ui/Filters.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { ListView } from '../../ui/ListView.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import tabClasses from '../../ui/PageTabs.module.css';
import { SearchField } from '../../ui/SearchField.tsx';
import { waitingKinds, type WaitingKind } from './search.ts';
import { Act, Add, calledOf, keyOf, LinkDialog, useDismiss } from './Unmatched.tsx';

const route = getRouteApi('/shell/people-waiting');
const ProvisionedPeople = lazyPart(
  () => import('../provisioning/ProvisionedPeople.tsx'),
  'ProvisionedPeople',
  'provisioning-waiting',
);

/** People known to an identity provider for whom no account was found, for HR of its companies. */
export function WaitingPage() {
  const t = useTranslations('peopleWaiting');
  const { kind = 'tried', search } = route.useSearch();
  const navigate = route.useNavigate();
  const { can } = useSession();
  // users who may only add people do not see those whom an identity provider added
  const kinds = can('employees.reset_password') ? waitingKinds : (['tried'] as const);
  const shown = can('employees.reset_password') ? kind : 'tried';
  const go = (next: WaitingKind, text?: string) =>
    void navigate({
      search: { ...(next !== 'tried' && { kind: next }), ...(text && { search: text }) },
      replace: true,
    });
  return (
    <>
      <PageHeader title={t('title')} lead={t(`lead.${shown}`)}>
        {can('employees.create') && (
          <Button
            renderRoot={(props) => <Link {...props} to={paths.newEmployee} />}
            leftSection={<IconUserPlus size={16} aria-hidden />}
          >
            {t('add')}
          </Button>
        )}
      </PageHeader>
      <Tabs classNames={tabClasses} value={shown} onChange={(next) => go(next as WaitingKind)} keepMounted={false}>
        {kinds.length > 1 && (
          <Tabs.List aria-label={t('kinds')}>
            {kinds.map((one) => (
              <Tabs.Tab key={one} value={one}>
                {t(`kind.${one}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        )}
        {kinds.map((one) => (
          <Tabs.Panel key={one} value={one}>
            <Filters belowTabs>
              <SearchField label={t('search')} value={search} onChange={(text) => go(one, text)} />
            </Filters>
            <Suspense fallback={<LoadingLines lines={5} />}>
              {one === 'tried' ? <Tried /> : <ProvisionedPeople />}
            </Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

/** People who tried to sign in through a provider and were not found. */
function Tried() {
  const t = useTranslations('peopleWaiting');
  const { page = 1, search } = route.useSearch();
  const navigate = route.useNavigate();
  const [linking, setLinking] = useState<WaitingPerson>();
  const query = useQuery({
    ...load(identityProviders.waiting, {
      query: { page, search, per_page: 25, sort_by: 'last_try_at', sort_direction: 'desc' },
    }),
    placeholderData: keepPreviousData,
  });
  const dismiss = useDismiss();
  const columns = useColumns(setLinking, (row) => dismiss(row, row.provider.id));
  const gone = useDeferred();
  const shown = query.data && {
    ...query,
    data: { ...query.data, data: query.data.data.filter((row) => !gone.has(keyOf(row))) },
  };
  return (
    <>
      <ListView<WaitingPerson>
        query={shown ?? query}
        label={t('title')}
        columns={columns}
        rowKey={({ id }) => id}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next }) })}
        empty={
          search ? (
            <Message title={t('noResult')} />
          ) : (
            <Message icon={IconUserCheck} title={t('none')}>
              {t('noneText')}
            </Message>
          )
        }
      />
      <LinkDialog providerId={linking?.provider.id ?? 0} person={linking} onClose={() => setLinking(undefined)} />
    </>
  );
}

type OnRow = (row: WaitingPerson) => void;

function useColumns(onLink: OnRow, onDismiss: OnRow): Column<WaitingPerson>[] {
  const t = useTranslations('identityProviders.unmatched');
  const own = useTranslations('peopleWaiting');
  return [
    { id: 'name', header: t('name'), cell: (row) => <bdi>{calledOf(row)}</bdi> },
    { id: 'email', header: t('email'), cell: ({ email }) => <bdi>{email ?? '–'}</bdi> },
    { id: 'provider', header: own('provider'), cell: ({ provider }) => <bdi>{provider.name}</bdi> },
    { id: 'groups', header: t('groups'), cell: ({ groups_count: count }) => count ?? '–' },
    { id: 'tries', header: t('tries'), cell: ({ tries }) => tries },
    { id: 'last', header: t('last'), cell: ({ last_try_at: last }) => <Moment value={last} /> },
    {
      id: 'actions',
      header: t('actions'),
      headerHidden: true,
      cell: (row) => (
        <Group gap={6} wrap="nowrap" justify="flex-end">
          {row.allowed_actions.includes('link') && <Act label={t('link')} row={row} onClick={() => onLink(row)} />}
          {row.allowed_actions.includes('create') && <Add providerId={row.provider.id} row={row} />}
          {row.allowed_actions.includes('dismiss') && (
            <Act label={t('dismiss')} row={row} onClick={() => onDismiss(row)} />
          )}
        </Group>
      ),
    },
  ];
}
