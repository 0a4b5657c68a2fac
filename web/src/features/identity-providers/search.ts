import { oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

/** The parts of the sign-in settings. */
export const signInParts = ['providers', 'rules', 'emergency'] as const;
export type SignInPart = (typeof signInParts)[number];

/**
 * The part that is open, and in it the id of the provider that is open, or `new` for its form, or the rule: the id of a
 * company, or `default`.
 */
export const signInSettingsSearch = searchParams({
  provider: someText(16),
  part: oneOf(signInParts),
  rule: someText(16),
});

/** Where people are known from who wait: they tried to sign in, or an identity provider added them. */
export const waitingKinds = ['tried', 'provisioned'] as const;
export type WaitingKind = (typeof waitingKinds)[number];

/** The people who wait that are shown, the page of them, and what is searched for among them. */
export const waitingSearch = searchParams({ kind: oneOf(waitingKinds), page: wholeNumber(), search: someText() });
