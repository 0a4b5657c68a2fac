import { expect, test } from 'vitest';
import { deviceOf } from './devices.ts';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  [`${windows} Chrome/140.0.0.0 Safari/537.36`, 'Chrome 140', 'Windows', false],
  [`${windows} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge 140', 'Windows', false],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox 143', 'Linux', false],
  [`${phone} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari 18', 'iOS', true],
  [`${phone} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome 140', 'iOS', true],
  ['curl/8.5.0', undefined, undefined, false],
  [null, undefined, undefined, false],
])('recognises %s', (text, browser, system, mobile) => {
  expect(deviceOf(text)).toEqual({ browser, system, mobile });
});
