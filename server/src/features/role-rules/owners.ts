import type { RoleSource } from '../../access/role-sources.ts';
import type { ReadCtx, ServiceCtx } from '../../http/context.ts';
import { findStored, lockProvider } from '../identity-providers/queries.ts';
import { lockConnection, readConnection } from '../scim-connections/queries.ts';

/** The properties of an identity provider or SCIM connection that its rules need. */
export type RulesOwner = RoleSource & {
  is_enabled: boolean;
  entity_ids: number[] | null;
  groups_claim: string | null;
  revision: number;
};

type Fields = Omit<RulesOwner, 'kind' | 'groups_claim'> & { groups_claim?: string | null };

const owner = (kind: RulesOwner['kind'], fields: Fields): RulesOwner => {
  const { id, name, is_enabled, entity_ids, groups_claim = null, revision } = fields;
  return { kind, id, name, is_enabled, entity_ids, groups_claim, revision };
};

/** Reads and locks the owners of each kind; both throw 404. */
export const owners = {
  identity_provider: {
    read: async (ctx: ServiceCtx, id: number) => owner('identity_provider', await findStored(ctx, id)),
    lock: async (ctx: ReadCtx, id: number) => owner('identity_provider', await lockProvider(ctx, id)),
  },
  scim_connection: {
    read: async (ctx: ServiceCtx, id: number) => owner('scim_connection', await readConnection(ctx, id)),
    lock: async (ctx: ReadCtx, id: number) => owner('scim_connection', await lockConnection(ctx, id)),
  },
} as const;
