import { lazyPart } from '../../../ui/lazy-part.ts';

/** Parts of a review, loaded lazily. */
export const AssessmentForm = lazyPart(() => import('./AssessmentForm.tsx'), 'AssessmentForm', 'probation-form');
export const ActivityPart = lazyPart(
  () => import('./ActivityPart.tsx'),
  'ActivityPart',
  'probation-activity',
  'workflow',
);
export const ConflictPart = lazyPart(() => import('./Conflict.tsx'), 'Conflict');
export const UnsavableEditsPart = lazyPart(() => import('./UnsavableEdits.tsx'), 'UnsavableEdits', 'workflow');
export const DialogsPart = lazyPart(
  () => import('./dialogs/DialogsPart.tsx'),
  'DialogsPart',
  'probation-steps',
  'signature',
);
