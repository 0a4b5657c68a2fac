import type { SavedView, SavedViewResource } from '@tenure/contract';
import type { Permission } from '@tenure/contract';
import { holds } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';

/** Parameters of a list that need a permission; the list refuses them from other callers. */
const guarded: Partial<Record<SavedViewResource, Readonly<Record<string, Permission>>>> = {
  employees: { deleted: 'employees.deactivate' },
};

/** The parameters of a view that the actor can send to the list, and the names of the rest. */
export function usable(
  actor: Actor,
  { resource, query }: Pick<SavedView, 'resource' | 'query'>,
): Pick<SavedView, 'query' | 'left_out'> {
  const guards = guarded[resource] ?? {};
  const left_out = Object.keys(query).filter((name) => {
    const permission = guards[name];
    return permission !== undefined && !holds(actor, permission);
  });
  return {
    query: Object.fromEntries(Object.entries(query).filter(([name]) => !left_out.includes(name))),
    left_out,
  };
}

type Owned = { owner_id: number; is_shared: boolean };

/** The actor's actions on a view: all for the owner, deletion of shared ones for an administrator. */
export function can(actor: Actor, { owner_id, is_shared }: Owned): string[] {
  if (owner_id === actor.user_id) return ['update', 'delete'];
  return is_shared && actor.is_admin ? ['delete'] : [];
}
