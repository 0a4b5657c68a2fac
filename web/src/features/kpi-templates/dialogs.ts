import { lazyPart } from '../../ui/lazy-part.ts';

/** What can be asked before something is done with a template. */
export const templateDialogs = ['duplicate', 'activate', 'archive', 'delete'] as const;
export type TemplateDialog = (typeof templateDialogs)[number];

/** Loaded behind the page and closed then, so that closing one leads back to where it was opened. */
export const TemplateDialogs = lazyPart(
  () => import('./TemplateDialogs.tsx'),
  'TemplateDialogs',
  'kpi-template-dialogs',
);
