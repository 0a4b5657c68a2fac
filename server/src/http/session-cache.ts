import { verifySessionToken } from '../crypto/csrf-token.ts';
import type { KeyRing } from '../crypto/keys.ts';
import type { CookieScope } from '../crypto/sealed-text.ts';
import { openSession } from '../crypto/session-cookie.ts';
import type { OpenedSession } from '../crypto/session-cookie.ts';

const maxKept = 10_000;

/**
 * Opens cookies and checks tokens, and remembers those that passed: the result depends only on the text and the keys,
 * and unsealing costs more than the rest of a small request. Whether a session is live is not part of it; the database
 * is asked each time. Only successes are cached, so that guesses evict nothing.
 */
export function openSessionCache(ring: KeyRing, scope: CookieScope) {
  const opened = new Map<string, OpenedSession>();
  const matching = new Map<string, Uint8Array>();

  function keep<T>(kept: Map<string, T>, key: string, value: T) {
    if (kept.size >= maxKept) kept.clear();
    kept.set(key, value);
  }

  return {
    open: (sealed: string): OpenedSession | null => {
      const known = opened.get(sealed);
      if (known) return known;
      const content = openSession(ring, scope, sealed);
      if (content) keep(opened, sealed, content);
      return content;
    },
    isTokenOf: (sid: Uint8Array, token: string): boolean => {
      const known = matching.get(token);
      if (known && Buffer.compare(known, sid) === 0) return true;
      const proven = verifySessionToken(ring, sid, token);
      if (proven) keep(matching, token, sid);
      return proven;
    },
  };
}
