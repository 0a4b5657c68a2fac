import { createFetch, FetchError } from 'ofetch';
import ky, { HTTPError } from 'ky';
import { CookieJar } from 'tough-cookie';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { sampleFiles } from './testing/file-samples.ts';
import { startApp } from './testing/app.ts';
import type * as PageClients from './testing/page-clients.ts';
import { codeOf, enrol } from './testing/factors.ts';
import { freePort } from './testing/free-port.ts';
import { openNuxtSanctum } from './testing/nuxt-sanctum.ts';
import { openPage } from './testing/page.ts';

/** Client packages as their users install them, against the running service. */

const [port, otherPort] = [await freePort(), await freePort()];
const here = `http://localhost:${port}`;
const elsewhere = `http://localhost:${otherPort}`;
const { app, as, make, owner } = await startApp({ APP_URL: here, FRONTEND_URL: elsewhere });
await app.listen({ port, host: '127.0.0.1' });
const samples = await sampleFiles();
const password = 'Str0ng!Passw0rd';
const hr = await make.employee({ roles: ['HR'], password });
const credentials = { email: hr.email, password };
const picture = `/api/employees/${hr.id}/profile-picture`;
beforeEach(() => owner.query('delete from login_attempts'));

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
type Reply = { status: number; data: any };
type Sent = { json?: object; file?: Uint8Array; binary?: boolean };
/** The functions of a client that this test uses; it returns refusals like other responses. */
type Caller = {
  send: (method: string, path: string, sent?: Sent) => Promise<Reply>;
  /** Drops the token of the service, like a page whose cookies were cleared. */
  dropToken: () => void;
};

/** A session of a client: guest, wrong and correct sign-in, reads, writes, refusals, files, sign-out and sign-in. */
async function aDay({ send, dropToken }: Caller, signOut: () => Promise<Reply>) {
  expect((await send('GET', '/api/me')).status).toBe(401);
  expect((await send('GET', '/sanctum/csrf-cookie')).status).toBe(204);
  const wrong = await send('POST', '/login', { json: { ...credentials, password: 'Wr0ng!Passw0rd' } });
  expect([wrong.status, wrong.data.errors.email]).toEqual([422, ['These credentials do not match our records.']]);
  expect((await send('POST', '/login', { json: credentials })).status).toBe(200);
  expect((await send('GET', '/api/me')).data.data.user.email).toBe(hr.email);

  const created = await send('POST', '/api/entities', { json: { name: `Client ${performance.now()}` } });
  expect([created.status, created.data.message]).toEqual([201, 'Company created successfully.']);
  const company = `/api/entities/${created.data.data.id}`;
  expect((await send('PUT', company, { json: { description: 'Changed' } })).data.data.description).toBe('Changed');
  const refused = await send('POST', '/api/entities', { json: {} });
  expect([refused.status, refused.data.errors]).toEqual([422, { name: ['The name field is required.'] }]);
  expect((await send('DELETE', company)).status).toBe(204);
  expect((await send('GET', company)).status).toBe(404);
  const list = await send('GET', '/api/employees?per_page=1');
  expect([list.data.meta.per_page, list.data.data.length]).toEqual([1, 1]);

  expect((await send('POST', picture, { file: samples.png })).status).toBe(200);
  const download = await send('GET', picture, { binary: true });
  // the service re-encodes pictures
  expect([download.status, Buffer.from(download.data).subarray(8, 12).toString()]).toEqual([200, 'WEBP']);

  dropToken();
  const untrusted = await send('POST', '/api/entities', { json: { name: 'Nowhere' } });
  expect([untrusted.status, untrusted.data]).toEqual([419, { message: 'CSRF token mismatch.' }]);
  expect((await send('GET', '/sanctum/csrf-cookie')).status).toBe(204);
  expect((await signOut()).status).toBe(200);
  expect((await send('GET', '/api/me')).status).toBe(401);
  // the token left by signing out works for the next sign-in
  expect((await send('POST', '/login', { json: { ...credentials, remember: null } })).status).toBe(200);
  return signOut();
}

const open = (url: string) => openPage<typeof PageClients>(url);
const expire = ({ window }: Awaited<ReturnType<typeof open>>) => {
  window.document.cookie = 'XSRF-TOKEN=; Max-Age=0; Path=/';
};

describe.each([
  ['a page of our own', here, {}],
  ['a page of a sibling origin', elsewhere, { baseURL: here, withCredentials: true, withXSRFToken: true }],
])('axios on %s', (_where, url, settings) => {
  test('works as it is published', async () => {
    const page = await open(`${url}/somewhere`);
    const { window, clients } = page;
    const client = clients.axios.create({ ...settings, validateStatus: () => true });
    const send: Caller['send'] = async (method, path, { json, file, binary } = {}) => {
      const form = new window.FormData();
      if (file) form.append('file', new window.File([new Uint8Array(file)], 'me.png', { type: 'image/png' }));
      const { status, data } = await client.request<unknown>({
        method,
        url: path,
        data: file ? form : json,
        ...(binary && { responseType: 'arraybuffer' }),
      });
      return { status, data };
    };
    const last = await aDay({ send, dropToken: () => expire(page) }, () => client.post('/logout'));
    expect([last.status, last.data]).toEqual([200, { message: 'Logged out successfully.' }]);
    window.close();
  });
});

test('axios on a page of a foreign origin gets no answer to read, and changes nothing', async () => {
  const page = await open('http://evil.example:8000/');
  const client = page.clients.axios.create({ baseURL: here, withCredentials: true, withXSRFToken: true });
  for (const asked of [client.get('/api/me'), client.post('/login', credentials), client.post('/logout')])
    await expect(asked).rejects.toMatchObject({ code: 'ERR_NETWORK' });
  page.window.close();
});

/** `fetch` with the cookies and the Referer of a page, like a browser. */
function browserFetch() {
  const jar = new CookieJar();
  const browser: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const headers = new Headers(request.headers);
    headers.set('referer', `${here}/somewhere`);
    headers.set('cookie', await jar.getCookieString(request.url));
    const answer = await fetch(new Request(request, { headers }));
    for (const line of answer.headers.getSetCookie()) await jar.setCookie(line, request.url);
    return answer;
  };
  const token = () => jar.getCookiesSync(here).find(({ key }) => key === 'XSRF-TOKEN')?.value;
  const dropToken = () => jar.setCookieSync('XSRF-TOKEN=; Max-Age=0; Path=/', here);
  return { fetch: browser, token, dropToken };
}

const formOf = (file: Uint8Array) => {
  const form = new FormData();
  form.append('file', new File([new Uint8Array(file)], 'me.png', { type: 'image/png' }));
  return form;
};
const read = async (answer: Response, binary = false): Promise<Reply> => ({
  status: answer.status,
  data: binary ? await answer.arrayBuffer() : answer.status === 204 ? undefined : await answer.json(),
});

test('ky works, with the token copied from its cookie', async () => {
  const { fetch: own, token, dropToken } = browserFetch();
  const client = ky.create({
    fetch: own,
    prefix: here,
    throwHttpErrors: false,
    retry: 0,
    headers: { 'content-type': undefined },
    hooks: { beforeRequest: [({ request }) => request.headers.set('x-xsrf-token', token() ?? '')] },
  });
  const send: Caller['send'] = async (method, path, { json, file, binary } = {}) =>
    read(await client(path.slice(1), { method, ...(json && { json }), ...(file && { body: formOf(file) }) }), binary);
  expect((await aDay({ send, dropToken }, () => send('POST', '/logout'))).status).toBe(200);
  await expect(client.get('api/me', { throwHttpErrors: true })).rejects.toBeInstanceOf(HTTPError);
});

test('ofetch works, with a JSON type also where there is no body', async () => {
  const { fetch: own, token, dropToken } = browserFetch();
  const client = createFetch({ fetch: own }).create({ baseURL: here, retry: 0 });
  const send: Caller['send'] = async (method, path, { json, file, binary } = {}) => {
    const headers = { 'x-xsrf-token': token() ?? '', ...(!file && { 'content-type': 'application/json' }) };
    const { status, _data: data } = await client.raw(path, {
      method,
      headers,
      ignoreResponseError: true,
      ...(json && { body: JSON.stringify(json) }),
      ...(file && { body: formOf(file) }),
      ...(binary && { responseType: 'arrayBuffer' }),
    });
    return { status, data };
  };
  expect((await aDay({ send, dropToken }, () => send('POST', '/logout'))).status).toBe(200);
  await expect(client('/api/me')).rejects.toBeInstanceOf(FetchError);
});

/** A page with react-sanctum, set up like its users do. */
async function withSanctum() {
  const { window, clients, cookie } = await open(`${here}/somewhere`);
  const { createElement, createRoot, Sanctum, useSanctum } = clients;
  const config = {
    apiUrl: here,
    csrfCookieRoute: 'sanctum/csrf-cookie',
    signInRoute: 'login',
    signOutRoute: 'logout',
    userObjectRoute: 'api/user',
    twoFactorChallengeRoute: 'two-factor-challenge',
  };
  type Shown = PageClients.SanctumContextProps;
  const shown: Shown[] = [];
  const Watch = () => {
    shown.push(useSanctum());
    return null;
  };
  const now = () => shown.at(-1) as Shown;
  const root = createRoot(window.document.querySelector('#root') as Element);
  const settings = { config, checkOnInit: true } as Parameters<typeof Sanctum>[0];
  root.render(createElement(Sanctum, settings, createElement(Watch)));
  await vi.waitFor(() => expect(now().authenticated).toBe(false), 15_000);
  const close = () => {
    root.unmount();
    window.close();
  };
  return { now, cookie, close };
}

test('react-sanctum signs in, knows who is there, and signs out', async () => {
  const { now, cookie, close } = await withSanctum();
  await expect(now().signIn(hr.email, 'Wr0ng!Passw0rd')).rejects.toMatchObject({ response: { status: 422 } });
  expect(await now().signIn(hr.email, password)).toMatchObject({ twoFactor: false, signedIn: true });
  await vi.waitFor(() => expect(now().user?.data.user.email).toBe(hr.email), 15_000);
  expect(await now().checkAuthentication()).toBe(true);
  await now().signOut();
  await vi.waitFor(() => expect([now().authenticated, now().user]).toEqual([false, null]), 15_000);
  expect(cookie('XSRF-TOKEN')).toMatch(/^g/);
  close();
});

test('react-sanctum goes on with the second step of an account that has one', async () => {
  const person = await make.employee({ password });
  const { secret, recovery_codes } = await enrol(await as(person.user_id));
  const { now, close } = await withSanctum();
  for (const [code, isRecovery] of [
    [codeOf(secret, 1), false],
    [recovery_codes[0] as string, true],
  ] as const) {
    expect(await now().signIn(person.email, password)).toMatchObject({ twoFactor: true, signedIn: false });
    expect(await now().checkAuthentication()).toBe(false);
    await expect(now().twoFactorChallenge('000000')).rejects.toMatchObject({ response: { status: 422 } });
    await now().twoFactorChallenge(code, isRecovery);
    await vi.waitFor(() => expect(now().user?.data.user.email).toBe(person.email), 15_000);
    await now().signOut();
  }
  close();
});

test('nuxt-auth-sanctum signs in, knows who is there, goes on with a second step, and signs out', async () => {
  const { fetch: own, token } = browserFetch();
  const cookie = (name: string) => (name === 'XSRF-TOKEN' ? token() : undefined);
  const { auth, client } = await openNuxtSanctum(own, { baseUrl: here, cookie });
  await expect(auth.login({ ...credentials, password: 'Wr0ng!Passw0rd' })).rejects.toMatchObject({ status: 422 });
  expect(auth.isAuthenticated.value).toBe(false);
  await auth.login(credentials);
  expect([auth.isAuthenticated.value, auth.user.value?.data.user.email]).toEqual([true, hr.email]);
  await auth.logout();
  await expect(auth.refreshIdentity()).rejects.toMatchObject({ status: 401 });

  const person = await make.employee({ password });
  const { secret } = await enrol(await as(person.user_id));
  // as the package recommends: without the identity, which does not exist yet
  const answer = await auth.login({ email: person.email, password }, false);
  expect([answer?.two_factor, auth.user.value]).toEqual([true, null]);
  const challenge = (code: string) => client('/two-factor-challenge', { method: 'post', body: { code } });
  await expect(challenge('000000')).rejects.toMatchObject({ status: 422 });
  await challenge(codeOf(secret, 1));
  await auth.refreshIdentity();
  expect(auth.user.value?.data.user.email).toBe(person.email);
  await auth.logout();
  expect(auth.user.value).toBeNull();
});

test('vform sends forms, shows the messages of fields, and deletes with an empty body', async () => {
  const { window, clients } = await open(`${here}/somewhere`);
  const { axios, Form } = clients;
  Form.axios = axios;
  await axios.get('/sanctum/csrf-cookie');
  const signIn = new Form({ email: hr.email, password: 'Wr0ng!Passw0rd' });
  await expect(signIn.post('/login')).rejects.toMatchObject({ response: { status: 422 } });
  expect(signIn.errors.get('email')).toBe('These credentials do not match our records.');
  signIn.update(credentials);
  expect((await signIn.post('/login')).status).toBe(200);
  const company = new Form({ name: '', country: 'Utopia' });
  await expect(company.post('/api/entities')).rejects.toMatchObject({ response: { status: 422 } });
  expect([company.errors.get('name'), company.errors.has('country')]).toEqual(['The name field is required.', true]);
  company.update({ name: 'Formed', country: 'DE' });
  const { data } = await company.post<{ data: { id: number } }>('/api/entities');
  const portrait = new Form({ file: new window.File([new Uint8Array(samples.png)], 'me.png', { type: 'image/png' }) });
  expect((await portrait.post(picture)).status).toBe(200);
  expect((await new Form({}).delete(`/api/entities/${data.data.id}`)).status).toBe(204);
  expect((await new Form({}).post('/logout')).status).toBe(200);
  window.close();
});
