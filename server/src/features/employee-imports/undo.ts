import type { Undo } from '../../imports/undo.ts';
import type { GainsChecked } from '../../people/gains.ts';
import { checkUndo } from './undo-check.ts';
import { undoRows } from './undo-rows.ts';
import { rightWithdrawn } from './write.ts';

/** How imports of people are undone. */
export const peopleUndo: Undo<GainsChecked> = {
  permission: 'employees.import',
  rightWithdrawn,
  check: ({ db, actor, onBatch }, { id }) => checkUndo(db, actor, { importId: id, onBatch }),
  undoRows: ({ db, actor, onBatch }, record, gains) => undoRows({ db, actor, gains, onBatch }, record),
};
