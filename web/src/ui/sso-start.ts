const key = 'tenure.sso';

/**
 * What was begun at a provider: a sign-in, after which the user wants to go to `next`, a link of the own account, a test
 * of the provider whose page is `next`, or a confirmation that it is them on the page `next`.
 */
type Begun = { next?: string | undefined; links?: true; tests?: true; confirms?: true };

/** Goes to the provider. This tab keeps what was begun, for the way back if it fails. */
export function goToProvider(url: string, begun: Begun): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(begun));
  } catch {
    // without storage the way back leads to the sign-in page
  }
  location.assign(url);
}

/** What was begun last in this tab. */
export function begunSso(): Begun {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Begun;
  } catch {
    return {};
  }
}
