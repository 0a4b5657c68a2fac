import { expect, test } from 'vitest';
import { sha256Hex } from '../crypto/crypto.ts';
import { encoded, signed } from './signature.ts';

// the worked examples of "Signature Calculations for the Authorization Header" in Amazon's S3 documentation
const keys = { id: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
const host = 'https://examplebucket.s3.amazonaws.com';

test.each([
  ['GET', '/test.txt', { range: 'bytes=0-9' }, '', 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'],
  [
    'PUT',
    `/${encoded('test$file.text')}`,
    { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    'Welcome to Amazon S3.',
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  ['GET', '/?lifecycle=', {}, '', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
  ['GET', '/?max-keys=2&prefix=J', {}, '', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
])('%s %s has the published signature', (method, path, headers, body, signature) => {
  const unsigned = { method, url: new URL(host + path), headers: headers as Record<string, string> };
  const all = signed({ ...unsigned, sha256: sha256Hex(body) }, { region: 'us-east-1', keys }, '20130524T000000Z');
  expect(all['authorization']).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/20130524\/us-east-1\/s3\/aws4_request, SignedHeaders=.*host;/,
  );
  expect(all['authorization']?.split('Signature=')[1]).toBe(signature);
});

test('the token of lent keys is signed', () => {
  const unsigned = { method: 'GET', url: new URL('/x', host), headers: {}, sha256: sha256Hex('') };
  const as = (token: string) => signed(unsigned, { region: 'us-east-1', keys: { ...keys, token } }, '20130524T000000Z');
  expect(as('one')).toMatchObject({
    'x-amz-security-token': 'one',
    authorization: expect.stringContaining('SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,'),
  });
  expect(as('one')['authorization']).not.toBe(as('two')['authorization']);
  expect(signed(unsigned, { region: 'us-east-1', keys }, '20130524T000000Z')).not.toHaveProperty(
    'x-amz-security-token',
  );
});

test('everything but letters, digits and four marks is percent-encoded', () => {
  expect(encoded("aZ09-._~ /+=&'()*!$é")).toBe('aZ09-._~%20%2F%2B%3D%26%27%28%29%2A%21%24%C3%A9');
});
