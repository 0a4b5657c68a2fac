import { roleScopes } from '@tenure/contract';
import { flag, oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

/** What is asked before something is done with a role. */
export const roleDialogs = ['new', 'edit', 'duplicate', 'delete'] as const;
export type RoleDialog = (typeof roleDialogs)[number];

/** The state of the list of roles, all of it in the address. */
export const rolesSearch = searchParams({
  page: wholeNumber(1),
  per_page: wholeNumber(1, 100),
  search: someText(100),
  scope: oneOf(roleScopes),
  sort_by: oneOf(['name', 'users_count', 'created_at']),
  sort_direction: oneOf(['asc', 'desc']),
});
export type RolesSearch = ReturnType<typeof rolesSearch>;

/** Everything that narrows the list. */
export const roleFilters = ['search', 'scope'] as const;

/** What is shown of a role: which permissions, beside which other roles, and who holds one of them. */
export const roleSearch = searchParams({
  find: someText(100),
  alone: flag,
  who: wholeNumber(1),
  do: oneOf(roleDialogs),
});
export type RoleSearch = ReturnType<typeof roleSearch>;
