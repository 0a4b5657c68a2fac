import { deliveryStatuses, eventTypeNames } from '@tenure/contract';
import { oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

/** The parts of a webhook. */
export const webhookParts = ['settings', 'deliveries', 'types'] as const;
export type WebhookPart = (typeof webhookParts)[number];

/** The list that the page shows while no webhook is open. */
export const views = ['webhooks', 'chat'] as const;

/** The id of the open webhook, or `new` for a new one, and its open part; for a list, its page and filter. */
export const webhooksSearch = searchParams({
  view: oneOf(views),
  webhook: someText(16),
  part: oneOf(webhookParts),
  page: wholeNumber(),
  status: oneOf(deliveryStatuses),
  type: oneOf(eventTypeNames),
});
