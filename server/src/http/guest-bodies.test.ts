import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { cookieHeader } from '../testing/client.ts';
import { listen, sendBytes } from '../testing/socket.ts';

/** Bodies of requests that need no sign-in. */

const { app, as } = await startApp();
const port = await listen(app);
const { cookies } = await as();
const head = (...headers: string[]) =>
  [
    'POST /api/login HTTP/1.1',
    'Host: x',
    'Referer: http://localhost:8000/',
    `Cookie: ${cookieHeader(cookies)}`,
    `X-XSRF-TOKEN: ${cookies.get('XSRF-TOKEN')}`,
    ...headers,
    '',
    '',
  ].join('\r\n');
const json = 'Content-Type: application/json';
const wrong = JSON.stringify({ email: 'nobody@acme.example', password: 'wrong' });

test('a body of 64 KiB is read', async () => {
  const body = wrong.padEnd(65_536);
  expect((await sendBytes(port, head(json, `Content-Length: ${body.length}`) + body)).status).toBe(422);
});

const long = wrong.padEnd(65_537);
const form = `--b\r\nContent-Disposition: form-data; name="email"\r\n\r\n${'x'.repeat(60_000)}\r\n`;
const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

test.each([
  ['declared', [json, 'Content-Length: 65537'], long],
  ['streamed', [json, 'Transfer-Encoding: chunked'], chunked(long)],
  [
    'multipart',
    ['Content-Type: multipart/form-data; boundary=b', 'Transfer-Encoding: chunked'],
    chunked(`${form}${form}--b--\r\n`),
  ],
])('a %s body of more than 64 KiB is refused', async (_how, headers, sent) => {
  const answer = await sendBytes(port, head(...headers) + sent);
  expect([answer.status, answer.body]).toEqual([413, '{"message":"The request body is too large."}']);
});
