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

/** The page of the people who wait, and what is searched for among them. */
export const waitingSearch = searchParams({ page: wholeNumber(), search: someText() });
