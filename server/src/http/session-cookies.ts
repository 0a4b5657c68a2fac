import type { IncomingHttpHeaders } from 'node:http';
import { knownDays } from '../access/known-origins.ts';
import { findSession } from '../access/sessions.ts';
import type { LiveSession } from '../access/sessions.ts';
import type { Config } from '../config.ts';
import { issueGuestToken, issueSessionToken, verifyGuestToken } from '../crypto/csrf-token.ts';
import { openDevice, sealDevice } from '../crypto/device-cookie.ts';
import type { KeyRing } from '../crypto/keys.ts';
import type { CookieScope } from '../crypto/sealed-text.ts';
import { sealSession } from '../crypto/session-cookie.ts';
import type { OpenedSession, SessionContent } from '../crypto/session-cookie.ts';
import type { Db } from '../db/connect.ts';
import { openSessionCache } from './session-cache.ts';
import { csrfCookie, deviceCookie, flowCookies, readCookies, sessionCookie, setCookie } from './cookies.ts';
import { openFlowCookies } from './flow-cookies.ts';

/** What the cookies of a request prove. */
export type Credentials = {
  /** The content of an authentic session cookie, alive or not. */
  content: OpenedSession | null;
  live: LiveSession | null;
  /** Its sealed text, sent again unchanged while its key is current. */
  sealed: string | null;
  /** CSRF cookies that came with it. */
  tokens: readonly string[];
  /** Cookies of browsers that signed in before, not yet opened. */
  devices: readonly string[];
  /** Cookies of sign-ins that take more than one request, not yet opened. */
  flows: readonly string[];
};

export type SessionCookies = ReturnType<typeof openSessionCookies>;

const nowSeconds = () => Math.floor(Date.now() / 1_000);

type SessionCache = ReturnType<typeof openSessionCache>;

/** Reads the session cookies; `name` is what they are called. */
function readSessions(config: Config, cache: SessionCache, name: string, deviceName: string) {
  const flowNames = flowCookies(config);

  /** The first authentic session cookie that lives, else the first authentic one. No database without one. */
  async function present(db: Db, headers: IncomingHttpHeaders): Promise<Credentials> {
    const sent = readCookies(headers.cookie);
    const [tokens, devices, flows] = [sent(csrfCookie), sent(deviceName), flowNames.flatMap(sent)];
    let authentic: Credentials = { content: null, live: null, sealed: null, tokens, devices, flows };
    for (const sealed of sent(name)) {
      const content = cache.open(sealed);
      if (!content) continue;
      const live = (await findSession(db, content.sid, config)) ?? null;
      if (live) return { content, live, sealed, tokens, devices, flows };
      if (!authentic.content) authentic = { content, live: null, sealed, tokens, devices, flows };
    }
    return authentic;
  }

  /** The authentic content of a session cookie, without asking whether it lives. */
  const contentOf = (headers: IncomingHttpHeaders): OpenedSession | null => {
    for (const sealed of readCookies(headers.cookie)(name)) {
      const content = cache.open(sealed);
      if (content) return content;
    }
    return null;
  };
  return { present, contentOf };
}

/** Checks CSRF tokens, and finds or issues the one that an answer carries. */
function openTokens(ring: KeyRing, cache: SessionCache) {
  function isValidToken(token: string, { content, live }: Pick<Credentials, 'content' | 'live'>): boolean {
    if (live && content) return cache.isTokenOf(content.sid, token);
    return verifyGuestToken(ring, nowSeconds(), token) || (content !== null && cache.isTokenOf(content.sid, token));
  }

  /** True when the header proves that the sender can read our cookie, and the token belongs to this session. */
  function passesCsrf(headers: IncomingHttpHeaders, rawHeaders: readonly string[], credentials: Credentials): boolean {
    const sent = rawHeaders.filter((value, index) => index % 2 === 0 && value.toLowerCase() === 'x-xsrf-token').length;
    const raw = headers['x-xsrf-token'];
    if (sent !== 1 || typeof raw !== 'string' || raw.length > 512) return false;
    const token = decodeOnce(raw.trim());
    return token !== '' && credentials.tokens.includes(token) && isValidToken(token, credentials);
  }

  /** The first presented CSRF cookie that is still good for this session, else a new one. */
  const sessionToken = (tokens: readonly string[], sid: Uint8Array) =>
    tokens.find((token) => cache.isTokenOf(sid, token)) ?? issueSessionToken(ring, sid);

  /** The same for someone without a live session; the token of the session that ended still serves. */
  const guestToken = (tokens: readonly string[], content: OpenedSession | null) =>
    tokens.find((token) => isValidToken(token, { content, live: null })) ?? issueGuestToken(ring, nowSeconds());
  return { passesCsrf, sessionToken, guestToken };
}

/** Reads and writes the cookie by which a browser is known that signed in before. */
function openDevices(config: Config, ring: KeyRing, scope: CookieScope) {
  /** The browser that a request comes from, where it signed in before. */
  function deviceOf({ devices }: Credentials): Buffer | null {
    for (const value of devices) {
      const device = openDevice(ring, scope, value);
      if (device) return device;
    }
    return null;
  }

  /** The cookie by which a browser is known at its next sign-in; signing out leaves it. */
  const deviceCookieOf = (device: Uint8Array) =>
    setCookie(config, scope.cookieName, sealDevice(ring, scope, device), knownDays.device * 86_400);
  return { deviceOf, deviceCookie: deviceCookieOf };
}

type Tokens = ReturnType<typeof openTokens>;

/** Writes the cookies of answers: the session and its CSRF token. */
function writeSessions(config: Config, ring: KeyRing, scope: CookieScope, { sessionToken, guestToken }: Tokens) {
  const name = scope.cookieName;
  const idle = config.SESSION_IDLE_MINUTES * 60;

  /** The cookies of an answer to a live session: both slide on. */
  function liveCookies({ content, live, sealed, tokens }: Credentials & { live: LiveSession }): string[] {
    const { sid } = content as SessionContent;
    const session = content?.stale || !sealed ? sealSession(ring, scope, content as SessionContent) : sealed;
    return [
      setCookie(config, name, session, live.max_age),
      setCookie(config, csrfCookie, sessionToken(tokens, sid), live.max_age),
    ];
  }

  /** The cookie of an answer to a guest. */
  const guestCookies = ({ content, tokens }: Credentials) => [
    setCookie(config, csrfCookie, guestToken(tokens, content), idle),
  ];

  /** The cookies of an answer that leaves the session as it is. */
  const sameCookies = (credentials: Credentials) => {
    const { live } = credentials;
    return live ? liveCookies({ ...credentials, live }) : guestCookies(credentials);
  };

  /** The cookies of a fresh session. */
  const freshCookies = (content: SessionContent, maxAge: number) => [
    setCookie(config, name, sealSession(ring, scope, content), maxAge),
    setCookie(config, csrfCookie, issueSessionToken(ring, content.sid), maxAge),
  ];

  /** The cookies after signing out: no session, and a guest token that serves the next sign-in. */
  const endCookies = () => [
    setCookie(config, name, '', 0),
    setCookie(config, csrfCookie, issueGuestToken(ring, nowSeconds()), idle),
  ];
  return { sameCookies, freshCookies, endCookies };
}

/** Reads and writes the cookies: sessions, CSRF tokens, and browsers that signed in before. */
export function openSessionCookies(config: Config, ring: KeyRing) {
  const name = sessionCookie(config);
  const scope: CookieScope = { cookieName: name, host: new URL(config.APP_URL).host };
  const deviceScope: CookieScope = { cookieName: deviceCookie(config), host: scope.host };
  const cache = openSessionCache(ring, scope);
  const { present, contentOf } = readSessions(config, cache, name, deviceScope.cookieName);
  const tokens = openTokens(ring, cache);
  const idle = config.SESSION_IDLE_MINUTES * 60;

  /** What GET /sanctum/csrf-cookie sets, without touching the database. */
  function primeCookies(headers: IncomingHttpHeaders): string[] {
    const content = contentOf(headers);
    const sent = readCookies(headers.cookie)(csrfCookie);
    const token = content ? tokens.sessionToken(sent, content.sid) : tokens.guestToken(sent, null);
    const left = content ? content.exp - nowSeconds() : idle;
    return [setCookie(config, csrfCookie, token, left > 0 ? Math.min(idle, left) : idle)];
  }

  return {
    present,
    primeCookies,
    passesCsrf: tokens.passesCsrf,
    ...writeSessions(config, ring, scope, tokens),
    ...openDevices(config, ring, deviceScope),
    ...openFlowCookies(config, ring),
  };
}

function decodeOnce(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}
