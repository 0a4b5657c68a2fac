import type { BodyIn, ScimConnection, scimConnections } from '@tenure/contract';
import type { Texts } from '../../ui/versions.ts';

/** What the form of a connection edits; switching it on and off is asked for apart. */
export const fields = ['name', 'entity_ids', 'provider_id', 'unmatched'] as const;
export type Field = (typeof fields)[number];

/** What a new connection is, as the service would make it. */
export const newTexts: Texts = { name: '', entity_ids: '', provider_id: '', unmatched: 'stage' };

export const textsOf = ({ name, entity_ids, provider_id, unmatched }: ScimConnection): Texts => ({
  name,
  entity_ids: (entity_ids ?? []).join(','),
  provider_id: String(provider_id ?? ''),
  unmatched,
});

/** The ids of companies in the text of the field. */
export const companiesOf = (text = ''): string[] => text.split(',').filter(Boolean);

function valueOf(name: string, text: string): unknown {
  if (name === 'entity_ids') return text === '' ? null : companiesOf(text).map(Number);
  if (name === 'provider_id') return text === '' ? null : Number(text);
  return text.trim();
}

export type Body = BodyIn<typeof scimConnections.update>;

/** The changed fields as a request body. */
export const bodyOf = (changed: Texts): Body =>
  Object.fromEntries(Object.entries(changed).map(([name, text]) => [name, valueOf(name, text)]));
