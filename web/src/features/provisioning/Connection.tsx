import { Group, Tabs } from '@mantine/core';
import { scimConnections, type ScimConnection } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import tabClasses from '../../ui/PageTabs.module.css';
import { useTabInView } from '../../ui/use-tab-in-view.ts';
import { Back } from './Back.tsx';
import { connectionParts, type ConnectionPart } from './parts.ts';
import { Settings } from './Settings.tsx';
import { State } from './State.tsx';
import { Switches } from './Switches.tsx';

const route = getRouteApi('/shell/settings/provisioning');
const Waiting = lazyPart(() => import('./Waiting.tsx'), 'Waiting', 'provisioning-waiting', 'link-person');
const Requests = lazyPart(() => import('./Requests.tsx'), 'Requests');
const GroupRoles = lazyPart(() => import('./GroupRoles.tsx'), 'GroupRoles', 'role-rules', 'add-person');
const Owners = lazyPart(() => import('./Owners.tsx'), 'Owners');
const Guide = lazyPart(() => import('./Guide.tsx'), 'Guide', 'provisioning-guide');

/** One connection: its state, and its parts in tabs. */
export function Connection({ id }: { id: number }) {
  const query = useQuery(load(scimConnections.get, { params: { id } }));
  if (query.isPending) return <LoadingLines lines={7} />;
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const { data: connection } = query.data;
  return (
    <>
      <PageHeader title={connection.name} lead={<Lead connection={connection} />}>
        <Back />
        <Switches connection={connection} />
      </PageHeader>
      <Parts connection={connection} />
    </>
  );
}

function Lead({ connection }: { connection: ScimConnection }) {
  const t = useTranslations('provisioning');
  const { last_request_at: last, owners } = connection;
  return (
    <Group component="span" gap="2px 12px">
      <State connection={connection} />
      <span>
        {t('lastRequest')}: {last === null ? t('never') : <Moment value={last} />}
      </span>
      {owners.length > 0 && (
        <span>
          {t('field.owner_ids')}: <bdi>{owners.map(({ name }) => name).join(', ')}</bdi>
        </span>
      )}
    </Group>
  );
}

function Parts({ connection }: { connection: ScimConnection }) {
  const t = useTranslations('provisioning');
  const { can } = useSession();
  const { part: wanted = 'settings' } = route.useSearch();
  const navigate = route.useNavigate();
  const parts = connectionParts.filter((part) => part !== 'waiting' || can('employees.reset_password'));
  const part = parts.find((one) => one === wanted) ?? 'settings';
  const row = useTabInView(part);
  const to = (next: string | null) =>
    void navigate({ search: { connection: String(connection.id), part: next ?? '' }, replace: true });
  return (
    <Tabs classNames={tabClasses} value={part} onChange={to} keepMounted={false}>
      <Tabs.List ref={row} aria-label={t('part.label')}>
        {parts.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {one === 'waiting' ? t('part.waiting', { count: connection.waiting_count }) : t(`part.${one}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {parts.map((one) => (
        <Tabs.Panel key={one} value={one}>
          <Suspense fallback={<LoadingLines lines={5} />}>
            {one === part && <PartContent part={one} connection={connection} />}
          </Suspense>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function PartContent({ part, connection }: { part: ConnectionPart; connection: ScimConnection }) {
  switch (part) {
    case 'settings':
      return <Settings connection={connection} />;
    case 'waiting':
      return <Waiting connection={connection} />;
    case 'requests':
      return <Requests id={connection.id} />;
    case 'roles':
      return <GroupRoles connection={connection} />;
    case 'owners':
      return <Owners />;
    case 'guide':
      return <Guide address={connection.base_url} />;
  }
}
