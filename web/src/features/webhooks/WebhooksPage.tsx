import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { isId } from '../../paths.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import tabClasses from '../../ui/PageTabs.module.css';
import { views } from './search.ts';
import { WebhookList } from './WebhookList.tsx';

const route = getRouteApi('/shell/settings/webhooks');
const OneWebhook = lazyPart(() => import('./OneWebhook.tsx'), 'OneWebhook');
const ChatTargets = lazyPart(() => import('./chat/ChatTargets.tsx'), 'ChatTargets', 'chat-targets');
const NewWebhook = lazyPart(() => import('./NewWebhook.tsx'), 'NewWebhook');

/** The addresses that events are sent to: the list, one of them, or the form of a new one; and chat channels. */
export function WebhooksPage() {
  return (
    <Suspense fallback={<LoadingLines lines={7} />}>
      <Part />
    </Suspense>
  );
}

function Part() {
  const { webhook = '' } = route.useSearch();
  if (webhook === 'new') return <NewWebhook />;
  return isId(webhook) ? <OneWebhook key={webhook} id={Number(webhook)} /> : <Views />;
}

function Views() {
  const t = useTranslations('webhooks');
  const { view = 'webhooks' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageHeader title={t('title')} />
      <Tabs
        classNames={tabClasses}
        value={view}
        onChange={(next) => void navigate({ search: next === 'chat' ? { view: next } : {}, replace: true })}
        keepMounted={false}
      >
        <Tabs.List aria-label={t('view.label')}>
          {views.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`view.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {views.map((one) => (
          <Tabs.Panel key={one} value={one}>
            <Suspense fallback={<LoadingLines lines={5} />}>
              {one === 'chat' ? <ChatTargets /> : <WebhookList />}
            </Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
