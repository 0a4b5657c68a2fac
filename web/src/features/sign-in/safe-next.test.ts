import { describe, expect, test } from 'vitest';
import { safeNext } from './safe-next.ts';

describe('leads back to a path of the application', () => {
  test.each([
    '/',
    '/employees',
    '/employees/57',
    '/employees?search=lena&page=2',
    '/employees?search=a%20b%2Fc',
    '/employees?next=//evil.example',
    '/employees#history',
    '/imports/41?only_errors=true',
    '/logins',
  ])('%s', (next) => {
    expect(safeNext(next)).toBe(next);
  });

  test('with dots resolved', () => {
    expect(safeNext('/employees/../imports')).toBe('/imports');
  });
});

const hostile = [
  undefined,
  '',
  'employees',
  'https://evil.example',
  'http://evil.example/employees',
  '//evil.example',
  '///evil.example',
  '////evil.example/%2f..',
  '/\\evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example',
  '/\u0000/evil.example',
  '\t//evil.example',
  ' //evil.example',
  ' /employees',
  '/ /evil.example',
  '/\u00a0/evil.example',
  '/./\\evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/%09/../\\evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://evil.example/1',
  'file:///etc/passwd',
  'mailto:a@b.example',
  '@evil.example',
  ':@evil.example',
  '.evil.example',
  '?next=/employees',
  '#/employees',
  '/login',
  '/login?next=/login',
  '/login/',
  '/LOGIN',
  '/%6cogin',
  '/%',
  '/%zz',
  '/api/logout',
  '/api/employees/export',
  '/sanctum/csrf-cookie',
];

test.each(hostile)('%j leads to the home page', (next) => {
  expect(safeNext(next)).toBe('/');
});
