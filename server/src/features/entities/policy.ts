import type { Permission } from '@tenure/contract';
import { holds, reachesEntity, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { entitiesIn } from '../../access/scope.ts';

/** Rows of `entities` that a permission of the actor covers. */
export const entitiesFor = (actor: Actor, permission: Permission, reference = 'e.id') =>
  entitiesIn(reachOf(actor, permission), reference);

/** The actor's current actions on a company; a referenced one cannot be deleted. */
export function can(actor: Actor): (entity: { id: number; is_unused: boolean }) => string[] {
  const [update, remove] = [reachOf(actor, 'entities.update'), reachOf(actor, 'entities.delete')];
  const mayExport = holds(actor, 'entities.view');
  return ({ id, is_unused }) => [
    ...(reachesEntity(update, id) ? ['update'] : []),
    ...(remove.everything && is_unused ? ['delete'] : []),
    ...(mayExport ? ['export'] : []),
  ];
}
