import { eventTypeNames, type BodyIn, type EventType, type Webhook, type webhooks } from '@tenure/contract';
import type { Texts } from '../../ui/versions.ts';

/** The fields of a webhook's form; the signature is set only at creation. */
export const fields = ['name', 'url', 'service_account_id', 'types', 'entity_ids'] as const;
export type Field = (typeof fields)[number] | 'signature';

/** The form text for all types, including those of later releases. */
export const allTypes = 'all';

type Prefix<T extends string> = T extends `${infer P}.${string}` ? P : never;
const areas = {
  employee: 'people',
  job_change: 'people',
  account: 'people',
  import: 'people',
  department: 'structure',
  entity: 'structure',
  kpi_cycle: 'kpi',
  kpi_evaluation: 'kpi',
  probation_review: 'probation',
} as const satisfies Record<Prefix<EventType>, string>;

/** The event types, grouped by subject. */
export const typesByArea = [...Map.groupBy(eventTypeNames, (type) => areas[type.split('.')[0] as Prefix<EventType>])];

/** The form values of a new webhook. */
export const newTexts = (account: number | undefined): Texts => ({
  name: '',
  url: '',
  service_account_id: String(account ?? ''),
  types: allTypes,
  entity_ids: '',
  signature: 'v1',
});

export const textsOf = ({ name, url, service_account, types, entity_ids }: Webhook): Texts => ({
  name,
  url,
  service_account_id: String(service_account.id),
  types: types === null ? allTypes : types.join(','),
  entity_ids: (entity_ids ?? []).join(','),
});

/** The values in the text of a field with several values. */
export const valuesOf = (text = ''): string[] => text.split(',').filter(Boolean);

function valueOf(name: string, text: string): unknown {
  if (name === 'entity_ids') return text === '' ? null : valuesOf(text).map(Number);
  // an empty list is refused, since it does not mean all
  if (name === 'types') return text === allTypes ? null : valuesOf(text);
  return name === 'service_account_id' ? Number(text) : text.trim();
}

export type Body = BodyIn<typeof webhooks.update> & Pick<BodyIn<typeof webhooks.create>, 'signature'>;

/** The changed fields as a request body. */
export const bodyOf = (changed: Texts): Body =>
  Object.fromEntries(Object.entries(changed).map(([name, text]) => [name, valueOf(name, text)]));
