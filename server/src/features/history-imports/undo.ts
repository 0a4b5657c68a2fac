import type { Undo } from '../../imports/undo.ts';
import { checkPeople, undoPeople } from './undo-people.ts';
import type { Written } from './undo-people.ts';
import { rightWithdrawn } from './write.ts';

/** How imports of former jobs are undone. */
export const historyUndo: Undo<Written[]> = {
  permission: 'employees.import',
  rightWithdrawn,
  check: checkPeople,
  undoRows: undoPeople,
};
