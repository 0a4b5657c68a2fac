import { describe, expect, test } from 'vitest';
import { BadAddress, parseS3Address } from './address.ts';

const keys = { id: 'key', secret: 'secret' };
const parse = (text: string) => parseS3Address(text, keys);

describe('an address of an object store', () => {
  test('without options is that of Amazon', () => {
    expect(parse('s3://tenure-files')).toMatchObject({
      name: 's3://tenure-files',
      prefix: '',
      base: new URL('https://tenure-files.s3.us-east-1.amazonaws.com/'),
      region: 'us-east-1',
      encryption: {},
      keys,
    });
    expect(parse('s3://tenure-files/hr/?region=eu-central-1')).toMatchObject({
      name: 's3://tenure-files/hr',
      prefix: 'hr/',
      base: new URL('https://tenure-files.s3.eu-central-1.amazonaws.com/'),
    });
  });

  test('with an endpoint has the bucket in the path, unless it says otherwise', () => {
    expect(parse('s3://files/a/b?endpoint=http://garage:3900').base.href).toBe('http://garage:3900/files/');
    expect(parse('s3://files?endpoint=https://[fd00::1]:9000').base.href).toBe('https://[fd00::1]:9000/files/');
    expect(parse('s3://files?endpoint=https://store.example.com&style=host').base.href).toBe(
      'https://files.store.example.com/',
    );
  });

  test('asks for encryption', () => {
    const header = 'x-amz-server-side-encryption';
    expect(parse('s3://files?sse=AES256').encryption).toEqual({ [header]: 'AES256' });
    expect(parse('s3://files?sse=aws:kms').encryption).toEqual({ [header]: 'aws:kms' });
    expect(parse('s3://files?sse=aws:kms:arn:aws:kms:eu:1:key/2').encryption).toEqual({
      [header]: 'aws:kms',
      [`${header}-aws-kms-key-id`]: 'arn:aws:kms:eu:1:key/2',
    });
  });

  test('may bring keys, which its name does not show', () => {
    const address = parse('s3://mine:a%2Fb%2Bc@files/hr');
    expect(address).toMatchObject({ name: 's3://files/hr', keys: { id: 'mine', secret: 'a/b+c' } });
    expect(() => parseS3Address('s3://files', {})).toThrow('needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY');
  });

  test.each([
    ['s3://[', 'is not an address'],
    ['s3://', 'has no valid bucket name'],
    ['s3://id@files', 'has an id without a secret'],
    ['s3://:secret@files', 'has an id without a secret'],
    ['s3://ab', 'has no valid bucket name'],
    ['s3://Files', 'has no valid bucket name'],
    ['s3://files:9000', 'has no valid bucket name'],
    ['s3://files/a%20b', 'has a prefix with other characters'],
    ['s3://files/...', 'has a prefix with other characters'],
    ['s3://files?endpoint=garage:3900', 'has an invalid endpoint'],
    ['s3://files?endpoint=ftp://garage', 'has an invalid endpoint'],
    ['s3://files?endpoint=https://garage/x', 'has an invalid endpoint'],
    ['s3://files?style=domain', 'has an unknown style'],
    ['s3://files?style=host&endpoint=https://10.0.0.5', 'has style=host with an IP address'],
    ['s3://files?style=host&endpoint=http://2130706433', 'has style=host with an IP address'],
    ['s3://files?style=host&endpoint=https://[fd00::1]:9000', 'has style=host with an IP address'],
    ['s3://files?sse=AES512', 'has an unknown sse'],
    ['s3://files?sse=AES256:key', 'has an unknown sse'],
    ['s3://files?region=eu central', 'has an invalid region'],
    ['s3://files?acl=public', 'has the unknown option acl'],
  ])('%s is refused: it %s', (text, reason) => {
    expect(() => parse(text)).toThrow(BadAddress);
    expect(() => parse(text)).toThrow(reason);
  });
});
