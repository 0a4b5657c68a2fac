import { getJwksCache, setJwksCache } from 'openid-client';
import type { Configuration } from 'openid-client';

/** Caches providers' keys between sign-ins, by the address that publishes them. They are never stored. */

type Jwks = NonNullable<ReturnType<typeof getJwksCache>>['jwks'];
type Known = { jwks: Jwks; fetchedAt: number; askedAgainAt: number };

/** Keys are fetched again after this time, and for an unknown key at most once in thirty seconds. */
const liveSeconds = 600;
const askAgainSeconds = 30;
/** From this age on, the library refetches keys for an unknown one. */
const oldSeconds = 60;

export type Keys = {
  /** Passes the cached keys to the library. */
  give: (configuration: Configuration, address: string) => void;
  /** Caches the keys that the library fetched, whether its check passed or not. */
  take: (configuration: Configuration, address: string) => void;
};

/** Caches keys; `now` is in seconds. */
export function openKeys(now: () => number = () => Math.floor(Date.now() / 1_000)): Keys {
  const known = new Map<string, Known>();
  const given = new WeakMap<Configuration, number>();
  return {
    give: (configuration, address) => {
      const keys = known.get(address);
      if (!keys || now() - keys.fetchedAt >= liveSeconds) return;
      // the first sign-in after a key rotation succeeds, but a stream of invalid tokens does not cause a request each
      const mayAskAgain = now() - keys.askedAgainAt >= askAgainSeconds;
      const uat = now() - (mayAskAgain ? oldSeconds : 0);
      given.set(configuration, uat);
      setJwksCache(configuration, { jwks: keys.jwks, uat });
    },
    take: (configuration, address) => {
      const fetched = getJwksCache(configuration);
      const before = given.get(configuration);
      if (!fetched || fetched.uat === before) return;
      known.set(address, { jwks: fetched.jwks, fetchedAt: now(), askedAgainAt: before === undefined ? 0 : now() });
    },
  };
}
