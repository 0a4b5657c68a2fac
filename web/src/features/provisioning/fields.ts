import type { BodyIn, ScimConnection, scimConnections } from '@tenure/contract';
import type { Texts } from '../../ui/versions.ts';

/** The fields of a connection's form; enabling and disabling are separate actions. */
export const fields = ['name', 'entity_ids', 'provider_id', 'unmatched', 'owner_ids'] as const;
export type Field = (typeof fields)[number];

/** The form values of a user's new connection, equal to the defaults of the service. */
export const newTexts = (userId: number): Texts => ({
  name: '',
  entity_ids: '',
  provider_id: '',
  unmatched: 'stage',
  owner_ids: String(userId),
});

export const textsOf = ({ name, entity_ids, provider_id, unmatched, owners }: ScimConnection): Texts => ({
  name,
  entity_ids: (entity_ids ?? []).join(','),
  provider_id: String(provider_id ?? ''),
  unmatched,
  owner_ids: owners.map(({ user_id }) => user_id).join(','),
});

/** The ids in the text of a field. */
export const idsOf = (text = ''): string[] => text.split(',').filter(Boolean);

function valueOf(name: string, text: string): unknown {
  if (name === 'entity_ids') return text === '' ? null : idsOf(text).map(Number);
  if (name === 'owner_ids') return idsOf(text).map(Number);
  if (name === 'provider_id') return text === '' ? null : Number(text);
  return text.trim();
}

export type Body = BodyIn<typeof scimConnections.update>;

/** The changed fields as a request body. */
export const bodyOf = (changed: Texts): Body =>
  Object.fromEntries(Object.entries(changed).map(([name, text]) => [name, valueOf(name, text)]));
