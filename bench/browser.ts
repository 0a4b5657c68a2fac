/** A signed-in API client, as small as possible. */
export type Session = { cookie: string; headers: Record<string, string> };

const pairs = (response: Response) => response.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');

type Answer = { status: number; body: Record<string, unknown>; ms: number };
/** A browser that keeps its cookies; `post` throws unless the answer is a success. */
export type Browser = { post: (path: string, body?: object) => Promise<Answer> };

/** Opens a browser without a signed-in user. */
export async function openBrowser(base: string): Promise<Browser> {
  const referer = `${base}/`;
  const cookies = new Map<string, string>();
  const keep = (response: Response) => {
    for (const pair of pairs(response))
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
  };
  keep(await fetch(`${base}/sanctum/csrf-cookie`, { headers: { referer } }));
  const post: Browser['post'] = async (path, sent = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { referer, cookie, 'x-xsrf-token': cookies.get('XSRF-TOKEN') ?? '', accept: 'application/json' };
    const started = performance.now();
    const response = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    });
    const text = await response.text();
    const ms = performance.now() - started;
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    keep(response);
    return { status: response.status, body: JSON.parse(text) as Answer['body'], ms };
  };
  return { post };
}

/** Signs in and returns the headers for all later requests. */
export async function signIn(base: string, email: string, password: string): Promise<Session> {
  const referer = `${base}/`;
  const primed = pairs(await fetch(`${base}/sanctum/csrf-cookie`, { headers: { referer } }));
  const token = primed[0]?.split('=')[1] ?? '';
  const response = await fetch(`${base}/login`, {
    method: 'POST',
    headers: { referer, cookie: primed.join('; '), 'x-xsrf-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`sign-in of ${email}: ${response.status} ${await response.text()}`);
  const cookie = pairs(response).join('; ');
  const own = /XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1] ?? '';
  return { cookie, headers: { referer, cookie, 'x-xsrf-token': own, accept: 'application/json' } };
}
