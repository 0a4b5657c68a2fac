import { expect, test } from 'vitest';
import { signProbe } from '../crypto/probe.ts';
import { generateKey, keyRing, parseKey } from '../crypto/keys.ts';
import { startApp } from '../testing/app.ts';
import { listen } from '../testing/socket.ts';
import { probeHeader } from './stream-probe.ts';

const { app, deps } = await startApp();
const port = await listen(app);
const ask = (probe: string, path = '/api/notifications/stream', method = 'GET') =>
  fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { [probeHeader]: probe, accept: 'application/json' } });

test('the doctor hears one event at once, without a session, and the answer ends by itself', async () => {
  const begun = performance.now();
  const answer = await ask(signProbe(deps.ring, Date.now()));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  expect(answer.headers.get('x-accel-buffering')).toBe('no');
  expect(answer.headers.getSetCookie()).toEqual([]);
  const pieces: [text: string, seconds: number][] = [];
  for await (const piece of answer.body ?? [])
    pieces.push([Buffer.from(piece as Uint8Array).toString(), (performance.now() - begun) / 1_000]);
  const text = pieces.map(([piece]) => piece).join('');
  expect(text.replace(/^retry: \d+\n\n/, '')).toBe('event: probe\ndata: null\n\nevent: over\ndata: null\n\n');
  // a proxy may buffer it for longer than the doctor waits
  const [, over = 0] = pieces.at(-1) ?? [];
  expect(over).toBeGreaterThan(4.5);
});

test('another key, another time, another method and another address open nothing', async () => {
  const probe = signProbe(deps.ring, Date.now());
  const others = [
    ask(signProbe(keyRing(parseKey(generateKey())), Date.now())),
    ask(signProbe(deps.ring, Date.now() - 600_000)),
    ask('x'),
    ask(probe, '/api/notifications/stream', 'HEAD'),
    ask(probe, '/api/notifications'),
    ask(probe, '/api/me'),
  ];
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
});
