import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { startApp } from '../testing/app.ts';

const address = '/.well-known/security.txt';

/** The fields of RFC 9116 by name. */
const fieldsOf = (text: string) => {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Map.groupBy(
    lines.map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)] as const),
    ([name]) => name,
  );
};

test('who finds a weakness reads where to report it, also without the browser application', async () => {
  const settings = {
    APP_URL: 'https://hr.example.com',
    SECURITY_CONTACT: 'security@example.com, https://example.com/report',
  };
  const { as } = await startApp(settings, { webFolder: '/nowhere' });
  const answer = await (await as()).get(address);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const fields = fieldsOf(answer.body);
  const values = (name: string) => fields.get(name)?.map(([, value]) => value);
  expect(values('Contact')).toEqual(['mailto:security@example.com', 'https://example.com/report']);
  expect(values('Preferred-Languages')).toEqual(['en, de']);
  expect(values('Canonical')).toEqual([`https://hr.example.com${address}`]);
  expect(values('Expires')).toHaveLength(1);
  const days = (Date.parse(values('Expires')?.[0] ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(300);
  expect(days).toBeLessThan(365);
  expect([...fields.keys()]).toEqual(['Contact', 'Expires', 'Preferred-Languages', 'Canonical']);
});

test('without a setting it names the service itself', async () => {
  const { as } = await startApp({ APP_URL: 'https://hr.example.com' });
  const answer = await (await as()).get(address);
  expect(fieldsOf(answer.body).get('Contact')).toEqual([['Contact', 'https://hr.example.com/']]);
  expect((await (await as()).post(address)).status).toBe(405);
});

test.each(['call us', 'http://example.com', 'mailto:', 'security@example.com\nContact: mailto:x@evil.example'])(
  'SECURITY_CONTACT may not be %j',
  (value) => expect(() => readConfig({ SECURITY_CONTACT: value })).toThrow(/^SECURITY_CONTACT: /),
);
