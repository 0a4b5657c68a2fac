import { expect, test } from 'vitest';
import { withScheme } from './address.ts';

test.each([
  ['intranet.example/orders', 'https://intranet.example/orders'],
  [' intranet:8080/orders ', 'https://intranet:8080/orders'],
  ['//intranet.example', 'https://intranet.example'],
  ['http://intranet.example', 'http://intranet.example'],
  ['HTTPS://intranet.example', 'HTTPS://intranet.example'],
  ['ftp://files.example', 'ftp://files.example'],
  // no longer a script, but not an address either: the service refuses it
  ['javascript:alert(1)', 'https://javascript:alert(1)'],
  ['', ''],
])('“%s” becomes “%s”', (typed, sent) => expect(withScheme(typed)).toBe(sent));
