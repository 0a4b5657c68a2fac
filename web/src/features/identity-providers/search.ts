import { oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

/** The parts of the sign-in settings. */
export const signInParts = ['providers', 'rules', 'emergency'] as const;
export type SignInPart = (typeof signInParts)[number];

/**
 * The open part and, in it, the id of the open provider, or `new` for the form of a new one, or the open rule: the id
 * of a company, or `default`.
 */
export const signInSettingsSearch = searchParams({
  provider: someText(16),
  part: oneOf(signInParts),
  rule: someText(16),
});

/** How the waiting people are known: they tried to sign in, or an identity provider added them. */
export const waitingKinds = ['tried', 'provisioned'] as const;
export type WaitingKind = (typeof waitingKinds)[number];

/** Which waiting people are shown, with the page and the search text. */
export const waitingSearch = searchParams({ kind: oneOf(waitingKinds), page: wholeNumber(), search: someText() });
