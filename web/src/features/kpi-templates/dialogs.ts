import { lazyPart } from '../../ui/lazy-part.ts';

/** The dialogs load lazily and mount closed, so that closing one returns the focus to its opener. */
export const TemplateDialogs = lazyPart(
  () => import('./TemplateDialogs.tsx'),
  'TemplateDialogs',
  'kpi-template-dialogs',
);
