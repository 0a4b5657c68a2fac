import { Tabs } from '@mantine/core';
import { webhooks, type Webhook } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import tabClasses from '../../ui/PageTabs.module.css';
import { useTabInView } from '../../ui/use-tab-in-view.ts';
import { Actions } from './Actions.tsx';
import { Back } from './Back.tsx';
import { webhookParts, type WebhookPart } from './search.ts';
import { Settings } from './Settings.tsx';
import { State } from './State.tsx';

const route = getRouteApi('/shell/settings/webhooks');
const Deliveries = lazyPart(() => import('./Deliveries.tsx'), 'Deliveries');
const Types = lazyPart(() => import('./Types.tsx'), 'Types');

/** One webhook: its state, and its parts in tabs. */
export function OneWebhook({ id }: { id: number }) {
  const query = useQuery(load(webhooks.get, { params: { id } }));
  if (query.isPending) return <LoadingLines lines={7} />;
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const { data: webhook } = query.data;
  return (
    <>
      <PageHeader title={webhook.name} lead={<State webhook={webhook} />}>
        <Back />
        <Actions webhook={webhook} />
      </PageHeader>
      <Parts webhook={webhook} />
    </>
  );
}

function Parts({ webhook }: { webhook: Webhook }) {
  const t = useTranslations('webhooks');
  const { part = 'settings' } = route.useSearch();
  const navigate = route.useNavigate();
  const row = useTabInView(part);
  const to = (next: string | null) =>
    void navigate({ search: { webhook: String(webhook.id), part: next as WebhookPart }, replace: true });
  return (
    <Tabs classNames={tabClasses} value={part} onChange={to} keepMounted={false}>
      <Tabs.List ref={row} aria-label={t('parts')}>
        {webhookParts.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {t(`part.${one}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {webhookParts.map((one) => (
        <Tabs.Panel key={one} value={one}>
          <Suspense fallback={<LoadingLines lines={5} />}>
            {one === part && <PartContent part={one} webhook={webhook} />}
          </Suspense>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function PartContent({ part, webhook }: { part: WebhookPart; webhook: Webhook }) {
  switch (part) {
    case 'settings':
      return <Settings webhook={webhook} />;
    case 'deliveries':
      return webhook.allowed_actions.includes('replay') ? <Deliveries webhook={webhook} /> : <NotCovered />;
    case 'types':
      return <Types types={webhook.types} />;
  }
}

/** Reading deliveries requires all permissions of the account. */
function NotCovered() {
  const t = useTranslations('webhooks');
  return <Message title={t('notCoveredTitle')}>{t('notCovered')}</Message>;
}
