import type { Employee } from '@tenure/contract';
import { dialogs, type DialogName } from '../search.ts';

/** Steps that take something away, and stand apart for it. */
export const weighty: ReadonlySet<DialogName> = new Set(['separate', 'deactivate', 'delete']);

/** What may be done about a person now, as the service says it. */
export function dialogsFor({ allowed_actions, employment_lifecycle }: Employee): DialogName[] {
  const may = new Set(allowed_actions);
  return dialogs.filter((name) => {
    switch (name) {
      case 'job':
        return may.has('job-history');
      case 'extend':
        // A later end is a change of the record that others decide about.
        return may.has('update') && may.has('job-history') && employment_lifecycle === 'probationary';
      case 'picture':
        return may.has('update');
      default:
        return may.has(name);
    }
  });
}
