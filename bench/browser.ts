/** A signed-in client of the API, as small as it can be. */
export type Session = { cookie: string; headers: Record<string, string> };

const pairs = (response: Response) => response.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');

/** Signs in and returns the headers of every later request. */
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
