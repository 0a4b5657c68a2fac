import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { isId } from '../../paths.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { WebhookList } from './WebhookList.tsx';

const route = getRouteApi('/shell/settings/webhooks');
const OneWebhook = lazyPart(() => import('./OneWebhook.tsx'), 'OneWebhook');
const NewWebhook = lazyPart(() => import('./NewWebhook.tsx'), 'NewWebhook');

/** The addresses that events are sent to: all, one, or the form of a new one. */
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
  return isId(webhook) ? <OneWebhook key={webhook} id={Number(webhook)} /> : <WebhookList />;
}
