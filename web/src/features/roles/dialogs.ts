import { lazyPart } from '../../ui/lazy-part.ts';

/** The dialogs load lazily and mount closed, so that closing one returns the focus to its opener. */
export const RoleDialogs = lazyPart(() => import('./RoleDialogs.tsx'), 'RoleDialogs');
