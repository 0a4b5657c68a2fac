import type { HistoryKind } from '../search.ts';

const verbs: Record<HistoryKind, readonly string[]> = {
  record: ['created', 'updated', 'picture_set', 'picture_removed', 'deleted', 'restored', 'reverted', 'removed'],
  employment: ['confirmed', 'deactivated', 'reactivated', 'separated', 'separation_withdrawn', 'left', 'rehired'],
  access: ['roles_changed'],
  viewed: ['downloaded', 'private_viewed', 'bank_revealed', 'private_exported', 'bank_exported', 'reveal_refused'],
};

/** The actions of a kind of entries, as the filter of the audit log. */
export const actionsOf = (kind: HistoryKind): string => verbs[kind].map((verb) => `employee.${verb}`).join(',');
