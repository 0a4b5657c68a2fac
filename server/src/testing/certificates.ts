import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** Certificates for tests with real TLS: a self-signed one is its own authority. */

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const time = (date: Date) => der(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const commonName = (text: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))));

const day = 86_400_000;

/** Names as dNSName (2), IPv4 addresses as iPAddress (7). */
const alternative = (host: string) =>
  isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));

const pem = (bytes: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${(bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`;

type Keys = { privateKey: KeyObject; publicKey: KeyObject };

/** A certificate for a P-256 key, signed by that key, as DER; `extensions` are DER too. */
function ecCertificate(
  { privateKey, publicKey }: Keys,
  names: [issuer: string, subject: string],
  extensions: Buffer[],
) {
  const [issuer, subject] = names.map(commonName) as [Buffer, Buffer];
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, ...randomBytes(8)])),
    ecdsaWithSha256,
    issuer,
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + day))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  return sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), sign('sha256', body, privateKey)));
}

/** Can sign others; `der(0x01, …)` marks this as critical. */
const authority = sequence(
  oid('551d13'),
  der(0x01, Buffer.from([255])),
  der(0x04, sequence(der(0x01, Buffer.from([255])))),
);

/**
 * The certificates with which an Android device would attest a key, from an unknown authority. The address `revoked`
 * lists the revoked ones.
 */
export function androidCertificates(keys: Keys, { challenge, revoked }: { challenge: Buffer; revoked: string }) {
  const zero = Buffer.from([0]);
  const description = sequence(
    der(0x02, Buffer.from([3])),
    der(0x0a, zero),
    der(0x02, Buffer.from([3])),
    der(0x0a, zero),
    der(0x04, challenge),
    der(0x04),
    sequence(),
    sequence(),
  );
  const places = sequence(sequence(der(0xa0, der(0xa0, der(0x86, Buffer.from(revoked))))));
  const extensions = [
    sequence(oid('2b06010401d679020111'), der(0x04, description)),
    sequence(oid('551d1f'), der(0x04, places)),
  ];
  return [
    ecCertificate(keys, ['authority of tests', 'device of tests'], extensions),
    ecCertificate(keys, ['authority of tests', 'authority of tests'], [authority]),
  ];
}

const rsaWithSha256 = sequence(oid('2a864886f70d01010b'), der(0x05));

/** A self-signed RSA certificate for signatures and its key, as PEM. `days`: its first and last day, from today. */
export function rsaCertificate({ bits = 2_048, days = [-1, 365] }: { bits?: number; days?: [number, number] } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: bits,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const name = commonName('signer of tests');
  const [from, until] = days.map((distance) => time(new Date(Date.now() + distance * day))) as [Buffer, Buffer];
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, ...randomBytes(8)])),
    rsaWithSha256,
    name,
    sequence(from, until),
    name,
    publicKey,
  );
  const signature = sign('sha256', body, createPrivateKey(privateKey));
  return { key: privateKey, cert: pem(sequence(body, rsaWithSha256, der(0x03, Buffer.from([0]), signature))) };
}

/** A self-signed certificate for these hosts, valid today, with its key; both as PEM. */
export function certificateFor(...hosts: string[]): { key: string; cert: string } {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const bytes = ecCertificate(
    keys,
    ['tests', 'tests'],
    [sequence(oid('551d11'), der(0x04, sequence(...hosts.map(alternative)))), authority],
  );
  return { key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }), cert: pem(bytes) };
}
