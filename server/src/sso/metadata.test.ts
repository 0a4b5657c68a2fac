import { expect, test } from 'vitest';
import { sendsLogout } from './metadata.ts';

test.each([
  ['https://login.microsoftonline.com/8c1f/v2.0', false],
  ['https://login.microsoftonline.us/8c1f/v2.0', false],
  ['https://accounts.google.com', false],
  ['https://acme.okta.com', true],
  ['https://id.acme.example/realms/login.microsoftonline.com', true],
])('%s tells of people who sign out there: %s', (issuer, sends) => {
  expect(sendsLogout(issuer)).toBe(sends);
});
