import type { BodyIn, SignInPolicy, signInPolicies } from '@tenure/contract';

/** A rule as form values. */
export type RuleDraft = {
  /** The company follows the default; the other values are then those of the default. */
  follows: boolean;
  required: boolean;
  providers: string[];
  /** The first day; '' while none is entered; null if not required. */
  day: string | null;
  hours: string;
};

export const draftOf = (policy: SignInPolicy, isDefault: boolean): RuleDraft => ({
  follows: !isDefault && !policy.is_own,
  required: policy.sso_required,
  providers: policy.sso_provider_ids.map(String),
  day: policy.second_factor_from,
  hours: policy.session_max_hours === null ? '' : String(policy.session_max_hours),
});

export const isSame = (one: RuleDraft, other: RuleDraft): boolean =>
  one.follows && other.follows ? true : JSON.stringify(one) === JSON.stringify(other);

export type RuleBody = BodyIn<typeof signInPolicies.preflight>;

/** The draft as a request body; the service refuses hours that are not a number. */
export function bodyOf({ required, providers, day, hours }: RuleDraft): RuleBody {
  const number = Number(hours.replace(',', '.'));
  return {
    sso_required: required,
    sso_provider_ids: providers.map(Number),
    second_factor_from: day,
    session_max_hours: hours.trim() === '' ? null : Number.isNaN(number) ? hours : number,
  };
}

/** Whether the draft requires a provider that is not required now, which can lock people out. */
export const demandsMore = (stored: SignInPolicy, { sso_required, sso_provider_ids }: RuleBody): boolean =>
  sso_required === true &&
  (!stored.sso_required || stored.sso_provider_ids.some((id) => !(sso_provider_ids as number[]).includes(id)));
