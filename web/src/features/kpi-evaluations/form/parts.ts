import { lazyPart } from '../../../ui/lazy-part.ts';

/** Parts of an evaluation beside its form, loaded lazily. */
export const ActivityPart = lazyPart(
  () => import('./activity/ActivityPart.tsx'),
  'ActivityPart',
  'kpi-evaluation-activity',
  'workflow',
);
export const DialogsPart = lazyPart(
  () => import('./dialogs/DialogsPart.tsx'),
  'DialogsPart',
  'kpi-evaluation-dialogs',
  'kpi-evidence',
);
export const ExplainPart = lazyPart(() => import('./ExplainPart.tsx'), 'ExplainPart', 'kpi-evaluation-explain');
export const ConflictPart = lazyPart(() => import('./Conflict.tsx'), 'Conflict', 'kpi-evaluation-whole');
export const UnsavableEditsPart = lazyPart(
  () => import('./UnsavableEdits.tsx'),
  'UnsavableEdits',
  'kpi-evaluation-whole',
  'workflow',
);
export const OverallPart = lazyPart(() => import('./OverallPane.tsx'), 'OverallPane', 'kpi-evaluation-whole');
export const ExceptionsPart = lazyPart(() => import('./ExceptionsPart.tsx'), 'ExceptionsPart', 'kpi-evaluation-turns');
export const LockedPart = lazyPart(() => import('./Locked.tsx'), 'Locked', 'kpi-evaluation-locked');
export const WholePart = lazyPart(() => import('./WholePart.tsx'), 'WholePart', 'kpi-evaluation-parts');
export const ReadingPart = lazyPart(
  () => import('./reading/ReadingPart.tsx'),
  'ReadingPart',
  'kpi-evaluation-goal',
  'kpi-evaluation-reading',
  'kpi-evaluation-whole',
  'kpi-evidence',
);
export const ActionBar = lazyPart(() => import('./ActionBar.tsx'), 'ActionBar', 'autosave');
export const AnswerBar = lazyPart(() => import('./reading/AnswerBar.tsx'), 'AnswerBar', 'kpi-evaluation-reading');
export const ItemListPart = lazyPart(() => import('./ItemList.tsx'), 'ItemList');
export const ItemPart = lazyPart(() => import('./ItemPane.tsx'), 'ItemPane', 'kpi-evaluation-goal');
