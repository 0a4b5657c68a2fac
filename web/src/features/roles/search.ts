import { roleScopes } from '@tenure/contract';
import { flag, oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

/** The dialogs of roles. */
export const roleDialogs = ['new', 'edit', 'duplicate', 'view', 'delete'] as const;
export type RoleDialog = (typeof roleDialogs)[number];

/** The filters and page of the role list, all in the address. */
export const rolesSearch = searchParams({
  page: wholeNumber(1),
  per_page: wholeNumber(1, 100),
  search: someText(100),
  scope: oneOf(roleScopes),
  sort_by: oneOf(['name', 'users_count', 'created_at']),
  sort_direction: oneOf(['asc', 'desc']),
});
export type RolesSearch = ReturnType<typeof rolesSearch>;

export const roleFilters = ['search', 'scope'] as const;

/** The state of a role's page: filtered permissions, compared roles and the permission whose holders are listed. */
export const roleSearch = searchParams({
  find: someText(100),
  alone: flag,
  who: wholeNumber(1),
  do: oneOf(roleDialogs),
});
export type RoleSearch = ReturnType<typeof roleSearch>;
