import { oneOf, searchParams } from '../../ui/search-params.ts';
import { sections } from '../employees/search.ts';

export const ownTabs = ['details', 'reviews', 'security', 'notifications', 'settings'] as const;
export type OwnTab = (typeof ownTabs)[number];

/** The tab and the edited section. */
export const ownProfileSearch = searchParams({ part: oneOf(ownTabs), edit: oneOf(sections) });
