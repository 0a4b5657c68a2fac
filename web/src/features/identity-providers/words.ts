import type { Field, Kind } from './fields.ts';

/** Fields that both kinds have and a provider of SAML names in words of its own. */
const own = ['groups_claim', 'match_rule', 'second_factor_values'] as const;

export const isOfSaml = (kind: Kind, name: Field): name is (typeof own)[number] =>
  kind === 'saml' && own.includes(name as never);
