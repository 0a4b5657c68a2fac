import { lazyPart } from '../../ui/lazy-part.ts';

/** Loaded behind the page and closed then, so that closing one leads back to where it was opened. */
export const TemplateDialogs = lazyPart(
  () => import('./TemplateDialogs.tsx'),
  'TemplateDialogs',
  'kpi-template-dialogs',
);
