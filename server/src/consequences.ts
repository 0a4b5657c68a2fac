import { text } from '@tenure/contract';
import type { Consequence as Read, Consequences as ReadAll, Text } from '@tenure/contract';
import { counted, stillThere } from './counts.ts';

type Consequence = Omit<Read, 'text'> & { text: Text };
type Outlook = { possible: boolean; message: Text | null };
export type Consequences = Omit<ReadAll, 'items' | Step> & Record<Step, Outlook> & { items: Consequence[] };

type Kind = Read['kind'];
type Step = Read['blocks'][number];

/** This many records of a kind depend on the record, and block the given steps. */
export const dependent = (
  kind: Kind,
  count: number,
  blocks: Consequence['blocks'] = [],
  examples: Consequence['examples'] = [],
): Consequence => ({ kind, count, text: counted(kind, count), examples, blocks });

function outlook(items: readonly Consequence[], step: Step, refusal: Text | null | undefined): Outlook {
  const blocking = items.filter(({ blocks }) => blocks.includes(step));
  const blocked = stillThere(Object.fromEntries(blocking.map(({ kind, count }) => [kind, count])));
  const message = refusal ?? (blocked ? text('departments.still_there', blocked) : null);
  return { possible: message === null, message };
}

/** What deleting or deactivating a record would run into; `refusals` are reasons that no count expresses. */
export const consequencesOf = (
  items: readonly Consequence[],
  refusals: Partial<Record<Step, Text | null>> = {},
): Consequences => ({
  delete: outlook(items, 'delete', refusals.delete),
  deactivate: outlook(items, 'deactivate', refusals.deactivate),
  items: items.filter(({ count }) => count > 0),
});
