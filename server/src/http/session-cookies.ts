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
  /** Its sealed text, resent unchanged while its key is current. */
  sealed: string | null;
  /** CSRF cookies of the same request. */
  tokens: readonly string[];
  /** Cookies of browsers that have signed in before, not opened yet. */
  devices: readonly string[];
  /** Cookies of sign-ins that take several requests, not opened yet. */
  flows: readonly string[];
};

export type SessionCookies = ReturnType<typeof openSessionCookies>;

const nowSeconds = () => Math.floor(Date.now() / 1_000);

type SessionCache = ReturnType<typeof openSessionCache>;

/** Reads the session cookies, which have the name `name`. */
function readSessions(config: Config, cache: SessionCache, name: string, deviceName: string) {
  const flowNames = flowCookies(config);

  /** The first authentic session cookie whose session is live, else the first authentic one. Without one, no query. */
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

  /** The authentic content of a session cookie, whether or not the session is live. */
  const contentOf = (headers: IncomingHttpHeaders): OpenedSession | null => {
    for (const sealed of readCookies(headers.cookie)(name)) {
      const content = cache.open(sealed);
      if (content) return content;
    }
    return null;
  };
  return { present, contentOf };
}

/** Checks CSRF tokens, and finds or issues the one for an answer. */
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

  /** The first presented CSRF cookie that is still valid for this session, else a new one. */
  const sessionToken = (tokens: readonly string[], sid: Uint8Array) =>
    tokens.find((token) => cache.isTokenOf(sid, token)) ?? issueSessionToken(ring, sid);

  /** The same for a visitor without a live session; the token of an ended session remains valid. */
  const guestToken = (tokens: readonly string[], content: OpenedSession | null) =>
    tokens.find((token) => isValidToken(token, { content, live: null })) ?? issueGuestToken(ring, nowSeconds());
  return { passesCsrf, sessionToken, guestToken };
}

/** Reads and writes the cookie that identifies a browser that has signed in before. */
function openDevices(config: Config, ring: KeyRing, scope: CookieScope) {
  /** The browser that a request comes from, if it has signed in before. */
  function deviceOf({ devices }: Credentials): Buffer | null {
    for (const value of devices) {
      const device = openDevice(ring, scope, value);
      if (device) return device;
    }
    return null;
  }

  /** The cookie that identifies a browser at its next sign-in; signing out keeps it. */
  const deviceCookieOf = (device: Uint8Array) =>
    setCookie(config, scope.cookieName, sealDevice(ring, scope, device), knownDays.device * 86_400);
  return { deviceOf, deviceCookie: deviceCookieOf };
}

type Tokens = ReturnType<typeof openTokens>;

/** Writes the cookies of answers: the session and its CSRF token. */
function writeSessions(config: Config, ring: KeyRing, scope: CookieScope, { sessionToken, guestToken }: Tokens) {
  const name = scope.cookieName;
  const idle = config.SESSION_IDLE_MINUTES * 60;

  /** The cookies of an answer to a live session, both with extended lifetimes. */
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

  /** The cookies of an answer that leaves the session unchanged. */
  const sameCookies = (credentials: Credentials) => {
    const { live } = credentials;
    return live ? liveCookies({ ...credentials, live }) : guestCookies(credentials);
  };

  /** The cookies of a new session. */
  const freshCookies = (content: SessionContent, maxAge: number) => [
    setCookie(config, name, sealSession(ring, scope, content), maxAge),
    setCookie(config, csrfCookie, issueSessionToken(ring, content.sid), maxAge),
  ];

  /** The cookies after signing out: no session, and a guest token for the next sign-in. */
  const endCookies = () => [
    setCookie(config, name, '', 0),
    setCookie(config, csrfCookie, issueGuestToken(ring, nowSeconds()), idle),
  ];
  return { sameCookies, freshCookies, endCookies };
}

/** Reads and writes the cookies: sessions, CSRF tokens, and browsers that have signed in before. */
export function openSessionCookies(config: Config, ring: KeyRing) {
  const name = sessionCookie(config);
  const scope: CookieScope = { cookieName: name, host: new URL(config.APP_URL).host };
  const deviceScope: CookieScope = { cookieName: deviceCookie(config), host: scope.host };
  const cache = openSessionCache(ring, scope);
  const { present, contentOf } = readSessions(config, cache, name, deviceScope.cookieName);
  const tokens = openTokens(ring, cache);
  const idle = config.SESSION_IDLE_MINUTES * 60;

  /** The cookies that GET /sanctum/csrf-cookie sets, without using the database. */
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
