import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { holds, reachesEntity, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { entitiesIn } from '../../access/scope.ts';
import { forbidden } from '../../http/errors.ts';

/** Rows of `kpi_templates` that a permission covers; a limited scope can also read those without a company. */
export function templatesFor(actor: Actor, permission: Permission): RawBuilder<SqlBool> {
  const reach = reachOf(actor, permission);
  const theirs = entitiesIn(reach, 't.entity_id');
  return reach.entity_ids.length > 0 ? sql<SqlBool>`(${theirs} or t.entity_id is null)` : theirs;
}

/** Writing a template without a company needs scope `all`. */
export const mayWrite = (actor: Actor, permission: Permission, { entity_id }: { entity_id: number | null }) =>
  reachesEntity(reachOf(actor, permission), entity_id);

/** Refuses to write a template that the actor sees but cannot write. */
export function requireWrite(actor: Actor, permission: Permission, template: { entity_id: number | null }): void {
  if (!mayWrite(actor, permission, template)) throw forbidden();
}

/** The state that the actions on a template depend on. */
export type TemplateState = {
  entity_id: number | null;
  status: string;
  /** True if an active template would be complete. */
  is_complete: boolean;
  /** Rows of cycles that refer to it. */
  cycle_rows: number;
  /** Unpublished rows among them, in cycles that are not closed. */
  open_rows: number;
};

/** The actor's current actions on templates. */
export function can(actor: Actor): (template: TemplateState) => string[] {
  const creates = reachOf(actor, 'kpi-template.create');
  const mayCopy = creates.everything || creates.entity_ids.length > 0;
  const mayExport = holds(actor, 'kpi-template.view');
  return (template) => {
    const writes = mayWrite(actor, 'kpi-template.update', template);
    const deletes = mayWrite(actor, 'kpi-template.delete', template);
    const isActive = template.status === 'active';
    return [
      ...(writes ? ['update'] : []),
      ...(writes && !isActive && template.is_complete ? ['activate'] : []),
      ...(writes && isActive && template.open_rows === 0 ? ['archive'] : []),
      ...(mayCopy ? ['duplicate'] : []),
      ...(deletes && template.cycle_rows === 0 ? ['delete'] : []),
      ...(mayExport ? ['export'] : []),
    ];
  };
}
