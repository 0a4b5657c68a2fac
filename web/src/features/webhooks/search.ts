import { deliveryStatuses, eventTypeNames } from '@tenure/contract';
import { oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

/** The parts of a webhook. */
export const webhookParts = ['settings', 'deliveries', 'types'] as const;
export type WebhookPart = (typeof webhookParts)[number];

/** What the page shows while no webhook is open. */
export const views = ['webhooks', 'chat'] as const;

/** The id of the webhook that is open, or `new` for its form, and the part of it; in a list its page and filter. */
export const webhooksSearch = searchParams({
  view: oneOf(views),
  webhook: someText(16),
  part: oneOf(webhookParts),
  page: wholeNumber(),
  status: oneOf(deliveryStatuses),
  type: oneOf(eventTypeNames),
});
