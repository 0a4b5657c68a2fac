import type { Permission } from '@tenure/contract';
import { reachesEntity, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { entitiesIn } from '../../access/scope.ts';

/** Rows of `entities` that a permission of the actor covers. */
export const entitiesFor = (actor: Actor, permission: Permission, reference = 'e.id') =>
  entitiesIn(reachOf(actor, permission), reference);

/** What the actor may do with a company now. One that still holds departments is never deleted. */
export function can(actor: Actor): (entity: { id: number; departments_count: number }) => string[] {
  const [update, remove] = [reachOf(actor, 'entities.update'), reachOf(actor, 'entities.delete')];
  return ({ id, departments_count }) => [
    ...(reachesEntity(update, id) ? ['update'] : []),
    ...(remove.everything && departments_count === 0 ? ['delete'] : []),
    'export',
  ];
}
