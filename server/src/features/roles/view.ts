import { messages, text } from '@tenure/contract';
import type { BodyOut, roles, RoleView } from '@tenure/contract';
import { coversRole, endView, isAdminRole, startView } from '../../access/role-view.ts';
import { record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { blocked, invalid } from '../../http/errors.ts';
import { existingEntities, isLimitable } from '../../people/roles.ts';
import type { Role } from '../../access/given-roles.ts';
import type { RoleChangeCtx, RoleRecord } from './write.ts';

type ViewCtx = RoleChangeCtx & { body: BodyOut<typeof roles.startView> };

/** The sent companies, sorted by id. Throws 422 like an assignment of the role. */
async function companiesOf(db: Db, role: Role, sent: readonly number[] | null): Promise<number[] | null> {
  if (sent === null) return null;
  if (!isLimitable(role)) throw invalid('entity_ids', text('validation.prohibited'));
  if (sent.length === 0) throw invalid('entity_ids', text('validation.least_items', { least: 1 }));
  const ids = [...new Set(sent)].sort((a, b) => a - b);
  const existing = await existingEntities(db, [{ entity_ids: ids }]);
  if (ids.some((id) => !existing.has(id))) throw invalid('entity_ids', messages.unavailable);
  return ids;
}

function log({ deps, request, actor, afterCommit }: RoleChangeCtx, what: { event: string }, roleId: number) {
  const who = { request_id: request.id, user_id: actor.user_id, session_id: actor.session_id };
  afterCommit(() =>
    deps.log.info({ ...what, ...who, role_id: roleId }, 'viewing the application as a role started or ended'),
  );
}

/** Starts viewing the application as a role, in this session only. */
export async function startRoleView(ctx: ViewCtx, found: RoleRecord): Promise<RoleView> {
  const { db, actor, body } = ctx;
  const role = { ...found, permissions: new Set(found.permissions) };
  if (isAdminRole(role)) throw blocked('role', text('roles.view_admin'));
  const entity_ids = await companiesOf(db, role, body.entity_ids ?? null);
  if (!coversRole(actor, { ...role, entity_ids })) throw blocked('role', text('roles.view_beyond'));
  const until = await startView(db, actor.session_id, { role_id: role.id, entity_ids });
  await record(ctx, {
    action: 'role.view_started',
    subject_id: role.id,
    subject_label: role.name,
    changes: {
      scope: { from: null, to: role.scope },
      ...(role.managed_depth === 'tree' && { managed_depth: { from: null, to: role.managed_depth } }),
      entity_ids: { from: null, to: entity_ids },
      viewing_until: { from: null, to: until },
    },
  });
  log(ctx, { event: 'role_view_started' }, role.id);
  return { role_id: role.id, role: role.name, entity_ids, until };
}

/** Ends the view of this session. If the view has already ended otherwise, there is nothing to record. */
export async function stopRoleView(ctx: RoleChangeCtx): Promise<void> {
  const { db, actor } = ctx;
  await endView(db, actor.session_id);
  const { viewed_as: seen } = actor;
  if (!seen) return;
  await record(ctx, { action: 'role.view_ended', subject_id: seen.role_id, subject_label: seen.role });
  log(ctx, { event: 'role_view_ended' }, seen.role_id);
}
