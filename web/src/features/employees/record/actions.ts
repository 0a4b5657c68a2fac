import type { EmployeeRow } from '@tenure/contract';
import { dialogs, type DialogName } from '../search.ts';

/** The destructive steps. */
export const destructive: ReadonlySet<DialogName> = new Set(['separate', 'deactivate', 'delete']);

/** The dialogs that the service allows for a person now. */
export function dialogsFor({ allowed_actions }: EmployeeRow): DialogName[] {
  const may = new Set(allowed_actions);
  return dialogs.filter((name) => {
    switch (name) {
      case 'job':
        return may.has('job-history');
      case 'picture':
        return may.has('update');
      default:
        return may.has(name);
    }
  });
}
