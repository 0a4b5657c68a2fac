const key = 'tenure.sso';

/**
 * What the user started at a provider: a sign-in that continues to `next`, a link of their account, a test of the
 * provider whose page is `next`, or a confirmation for the page `next`.
 */
type Begun = { next?: string | undefined; links?: true; tests?: true; confirms?: true };

/** Opens the provider. This tab stores what was started, to return there after a failure. */
export function goToProvider(url: string, begun: Begun): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(begun));
  } catch {
    // without storage, a failure leads back to the sign-in page
  }
  location.assign(url);
}

/** What was last started in this tab. */
export function begunSso(): Begun {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Begun;
  } catch {
    return {};
  }
}
