import type { Undo } from '../../imports/undo.ts';
import type { Judged } from '../../people/gains.ts';
import { judgeUndo } from './undo-judge.ts';
import { undoRows } from './undo-rows.ts';
import { withdrawn } from './write.ts';

/** How imports of people are undone. */
export const peopleUndo: Undo<Judged> = {
  permission: 'employees.import',
  withdrawn,
  judge: ({ db, actor, onBatch }, { id }) => judgeUndo(db, actor, { importId: id, onBatch }),
  undoRows: ({ db, actor, onBatch }, record, gains) => undoRows({ db, actor, gains, onBatch }, record),
};
