import type { Field, Kind } from './fields.ts';

/** Fields of both kinds that have different labels for a SAML provider. */
const own = ['groups_claim', 'match_rule', 'second_factor_values'] as const;

export const isOfSaml = (kind: Kind, name: Field): name is (typeof own)[number] =>
  kind === 'saml' && own.includes(name as never);
