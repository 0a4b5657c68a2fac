import { vi } from 'vitest';
import { uploadsThrough } from './uploads.ts';

type Answer = { status?: number; body?: unknown; headers?: Record<string, string> };
type Reply = Answer | ((request: { url: URL; body: unknown }) => Answer | Promise<Answer>);
type RecordedRequest = { method: string; path: string; query: URLSearchParams; headers: Headers; body: unknown };

/** The content of a file or JSON body as plain values. */
const read = (body: BodyInit | null | undefined): unknown =>
  body instanceof FormData ? Object.fromEntries(body) : typeof body === 'string' ? JSON.parse(body) : undefined;

const none = { people: [], total: 0 };

/** Default answers to the requests of every screen. */
const always: Record<string, Reply> = {
  'GET /api/actionable-items/counts': { body: { data: { total: 0, overdue: 0, by_kind: {} }, message: '' } },
  'GET /api/profile/covered-absences': {
    body: {
      data: [],
      links: { first: '', last: '', prev: null, next: null },
      meta: { current_page: 1, from: 0, to: 0, last_page: 1, per_page: 15, total: 0 },
      message: '',
    },
  },
  'GET /api/brand/own': { body: { data: { name: null, accent: null, logo: null }, message: '' } },
  'GET /api/job-changes': {
    body: {
      data: [],
      links: { first: '', last: '', prev: null, next: null },
      meta: { current_page: 1, from: 0, to: 0, last_page: 1, per_page: 15, total: 0 },
      message: '',
    },
  },
  'GET /api/profile': {
    body: {
      data: { user: { locale: 'en', preferences: {} }, employee: null, roles: [], permissions: [] },
      message: '',
    },
  },
  'GET /api/home': {
    body: {
      data: { announcements: [], started: none, starting: none, anniversaries: none, birthdays: none },
      message: '',
    },
  },
  'GET /api/profile/identities': { body: { data: { identities: [], providers: [] }, message: '' } },
  'GET /api/sign-in/options': { body: { data: { by_address: false, providers: [] }, message: '' } },
  'GET /api/notifications/unread-count': { body: { data: { count: 0 }, message: '' } },
};

/** A fake service: answers requests by `METHOD /path` and records them. An unexpected request fails the test. */
export function serve(replies: Record<string, Reply>) {
  const asked: RecordedRequest[] = [];
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input, 'http://tenure.test');
    const method = init.method ?? 'GET';
    const body = read(init.body);
    asked.push({ method, path: url.pathname, query: url.searchParams, headers: new Headers(init.headers), body });
    const reply = replies[`${method} ${url.pathname}`] ?? always[`${method} ${url.pathname}`];
    if (!reply) throw new TypeError(`Nobody answers ${method} ${url.pathname}`);
    const answer = typeof reply === 'function' ? await reply({ url, body }) : reply;
    const text = answer.body === undefined ? null : JSON.stringify(answer.body);
    return new Response(text, {
      status: answer.status ?? 200,
      headers: { 'Content-Type': 'application/json', ...answer.headers },
    });
  });
  vi.stubGlobal(
    'XMLHttpRequest',
    uploadsThrough(() => fetch),
  );
  return {
    replies,
    asked,
    /** The requests to one endpoint, oldest first. */
    to: (call: string) => asked.filter(({ method, path }) => `${method} ${path}` === call),
  };
}

/** A list answer with one page. */
export const listOf = (data: readonly unknown[]): Answer => ({
  body: {
    data,
    links: { first: '', last: '', prev: null, next: null },
    meta: {
      current_page: 1,
      from: data.length > 0 ? 1 : 0,
      to: data.length,
      last_page: 1,
      per_page: 15,
      total: data.length,
    },
  },
});

export const itemOf = (data: unknown): Answer => ({ body: { data, message: 'Operation successful.' } });

export const signedInAs = (permissions: readonly string[], user: Record<string, unknown> = {}): Answer => ({
  body: {
    data: {
      user: {
        id: 7,
        email: 'hana.ito@acme.example',
        name: 'Hana Ito',
        employee_id: 12,
        locale: 'en',
        locale_chosen: false,
        must_change_password: false,
        last_login_at: null,
        profile_picture_url: null,
        role_assignments: [],
        ...user,
      },
      roles: [],
      permissions,
      directory: false,
      step_up_until: null,
      second_factor: { state: 'ok', from: null },
      viewing: null,
    },
  },
});

export const guest: Answer = { status: 401, body: { message: 'Unauthenticated.' } };
