import * as z from 'zod';
import { confirmed, endpoint } from './endpoint.ts';
import { item, Ref } from './envelope.ts';
import { id, revision, text } from './fields.ts';
import { managedDepths, roleScopes } from './roles.ts';

/** A group at a provider or in a SCIM connection, and the role that its members get here. */
export const RoleRule = z.object({
  /** The group as spelled in the claim, or its `displayName`. */
  value: z.string().max(255),
  role: Ref,
  scope: z.enum(roleScopes),
  managed_depth: z.enum(managedDepths),
  /** Whole companies that it is limited to; null for no limit. */
  entities: z.array(Ref).nullable(),
  /** Departments that it reaches in addition to these companies, with their descendants; absent if none. */
  departments: z.array(Ref).optional(),
});
export type RoleRule = z.output<typeof RoleRule>;

/** A role that a rule may assign. */
const OfferedRole = z.object({
  id: z.int(),
  name: z.string().max(60),
  limitable: z.boolean(),
  in_departments: z.boolean(),
});

/** The rules of a provider, or of a SCIM connection. */
export const RoleRules = z.object({
  /** The claim in which a provider names groups; null without one, and for a connection. */
  groups_claim: z.string().max(100).nullable(),
  rules: z.array(RoleRule),
  /** Groups of linked people at their last sign-ins, or as provisioned, most frequent first. */
  seen: z.array(z.object({ value: z.string().max(255), people: z.int() })),
  /** The number of linked people whose groups are known, and of those whose are not. */
  known: z.int(),
  unknown: z.int(),
  roles: z.array(OfferedRole),
  /** Companies that the provider or connection is limited to; null for no limit. */
  entities: z.array(Ref).nullable(),
  /** The revision of the provider or connection. */
  revision: z.int(),
});
export type RoleRules = z.output<typeof RoleRules>;

const Moved = z.object({ role: Ref, people: z.int() });

/** What rules would change for linked people, by their known groups. */
export const RoleRulesImpact = z.object({
  /** People who would gain a role, or hold it in more places. */
  gains: z.array(Moved),
  /** People who would lose a role, or hold it in fewer places. */
  losses: z.array(Moved),
  /** People who gain or lose anything. */
  people: z.int(),
  /** The text to send as `confirm`, because many holders of a role are affected; null if it is not required. */
  confirm: z.string().max(60).nullable(),
});
export type RoleRulesImpact = z.output<typeof RoleRulesImpact>;

/** A change that affects this share of a role's holders or more must be confirmed by typing. */
export const confirmedShare = 0.2;

const rules = z
  .array(
    z.object({
      value: text(255, 1),
      role_id: id(),
      /** Whole companies. Without companies and departments, there is no limit. */
      entity_ids: z.array(id()).max(500).nullish(),
      department_ids: z.array(id()).max(500).nullish(),
    }),
  )
  .max(200);

const manage = { permission: 'identity.manage', scope: 'everything' } as const;

/** The endpoints for rules, which are the same for every source of groups. */
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
