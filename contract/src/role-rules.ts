import * as z from 'zod';
import { confirmed, endpoint } from './endpoint.ts';
import { item, Ref } from './envelope.ts';
import { id, revision, text } from './fields.ts';
import { managedDepths, roleScopes } from './roles.ts';

/** A group at a provider or of a connection of SCIM, and the role that its members have here. */
export const RoleRule = z.object({
  /** The group as the claim spells it, or its `displayName`. */
  value: z.string().max(255),
  role: Ref,
  scope: z.enum(roleScopes),
  managed_depth: z.enum(managedDepths),
  /** Whole companies it is limited to; null for no limit. */
  entities: z.array(Ref).nullable(),
  /** Departments it reaches beside these companies, with those below; absent without any. */
  departments: z.array(Ref).optional(),
});
export type RoleRule = z.output<typeof RoleRule>;

/** A role that a rule may give. */
const OfferedRole = z.object({
  id: z.int(),
  name: z.string().max(60),
  limitable: z.boolean(),
  in_departments: z.boolean(),
});

/** The rules of a provider, or of a connection of SCIM. */
export const RoleRules = z.object({
  /** The claim that a provider names groups in; null without one, and for a connection. */
  groups_claim: z.string().max(100).nullable(),
  rules: z.array(RoleRule),
  /** Groups of linked people at their last sign-ins, or as they are provisioned, the most frequent first. */
  seen: z.array(z.object({ value: z.string().max(255), people: z.int() })),
  /** Linked people whose groups are known, and whose are not. */
  known: z.int(),
  unknown: z.int(),
  roles: z.array(OfferedRole),
  /** Companies that the provider or connection is limited to; null for none. */
  entities: z.array(Ref).nullable(),
  /** Of the provider or connection. */
  revision: z.int(),
});
export type RoleRules = z.output<typeof RoleRules>;

const Moved = z.object({ role: Ref, people: z.int() });

/** What rules would change for linked people, by the groups that are known of them. */
export const RoleRulesImpact = z.object({
  /** People who come to hold a role, or hold it in more places. */
  gains: z.array(Moved),
  /** People who hold a role no more, or in fewer places. */
  losses: z.array(Moved),
  /** People who gain or lose anything. */
  people: z.int(),
  /** What has to be sent as `confirm`, because many holders of a role are affected; null where nothing has to. */
  confirm: z.string().max(60).nullable(),
});
export type RoleRulesImpact = z.output<typeof RoleRulesImpact>;

/** From this share of the holders of a role on a change is confirmed by typing. */
export const confirmedShare = 0.2;

const rules = z
  .array(
    z.object({
      value: text(255, 1),
      role_id: id(),
      /** Whole companies. Without companies and departments there is no limit. */
      entity_ids: z.array(id()).max(500).nullish(),
      department_ids: z.array(id()).max(500).nullish(),
    }),
  )
  .max(200);

const manage = { permission: 'identity.manage', scope: 'everything' } as const;

/** The endpoints of rules, which are the same for every source of groups. */
const rulesUnder = (owner: '/identity-providers/:id' | '/scim-connections/:id', who: string) => ({
  get: endpoint({
    ...manage,
    method: 'GET',
    path: `${owner}/role-rules` as const,
    summary: `The rules by which groups ${who} give roles`,
    accepts: 'session',
    reply: item(RoleRules),
    status: 200,
  }),
  set: endpoint({
    ...manage,
    ...confirmed,
    method: 'PUT',
    path: `${owner}/role-rules` as const,
    summary: `Replace the rules by which groups ${who} give roles; they are applied to all linked people`,
    body: z.object({ rules, confirm: text(60).optional(), ...revision }),
    reply: item(RoleRules),
    status: 200,
  }),
  preview: endpoint({
    ...manage,
    method: 'POST',
    path: `${owner}/role-rules/preview` as const,
    summary: `Who would gain and lose which role by other rules for groups ${who}; nothing is changed`,
    accepts: 'session',
    body: z.object({ rules }),
    reply: item(RoleRulesImpact),
    status: 200,
  }),
});

export const roleRules = rulesUnder('/identity-providers/:id', 'at a provider');
export const scimRoleRules = rulesUnder('/scim-connections/:id', 'of a connection of SCIM');
