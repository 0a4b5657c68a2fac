import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { PasskeyCreation, PasskeyRequest } from '@tenure/contract';
import { androidCertificates } from './certificates.ts';
import type { Client } from './client.ts';

/** A software passkey, for responses that no real device gives. Journeys use real ones, in Chromium. */

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer | string) => Buffer.from(data).toString('base64url');
const cborText = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
const cborBytes = (value: Buffer) =>
  Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 0xff]), value]);
const cborArray = (...values: Buffer[]) => Buffer.concat([Buffer.from([0x80 + values.length]), ...values]);

/** How a response differs from a correct one. */
export type Bent = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** Whether the device verified the user. */
  uv?: boolean;
  /** Whether the user touched the device. */
  up?: boolean;
  counter?: number;
  userHandle?: string | null;
  id?: string;
  type?: string;
  /** An address where the (Android) device says that its revoked certificates are listed. */
  revoked?: string;
};

/** `origin` is that of the requesting page. */
export function softPasskey(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  const key = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
  let handle = '';
  let count = 0;

  const clientData = (type: string, challenge: string, bent: Bent) =>
    Buffer.from(
      JSON.stringify({
        type: bent.type ?? type,
        challenge: bent.challenge ?? challenge,
        origin: bent.origin ?? origin,
        crossOrigin: false,
      }),
    );

  function authData(rpId: string, bent: Bent, attested: Buffer = Buffer.alloc(0)) {
    const { uv = true, up = true } = bent;
    const flags = Buffer.from([(up ? 1 : 0) | (uv ? 4 : 0) | (attested.length > 0 ? 0x40 : 0)]);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(bent.counter ?? (count += 1));
    return Buffer.concat([sha256(bent.rpId ?? rpId), flags, counter, attested]);
  }

  /** How the device attests the key: not at all, as requested, or like an Android device. */
  function statement({ revoked }: Bent, client: Buffer): Buffer {
    if (revoked === undefined)
      return Buffer.concat([cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])]);
    const certificates = androidCertificates({ privateKey, publicKey }, { challenge: sha256(client), revoked });
    return Buffer.concat([
      cborText('fmt'),
      cborText('android-key'),
      cborText('attStmt'),
      Buffer.from([0xa3]),
      cborText('alg'),
      Buffer.from([0x26]),
      cborText('sig'),
      cborBytes(Buffer.alloc(70)),
      cborText('x5c'),
      cborArray(...certificates.map(cborBytes)),
    ]);
  }

  return {
    id: base64url(id),
    /** What `navigator.credentials.create` would return. */
    create(options: PasskeyCreation, bent: Bent = {}) {
      handle = options.user.id;
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const client = clientData('webauthn.create', options.challenge, bent);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        statement(bent, client),
        cborText('authData'),
        cborBytes(authData(options.rp.id, bent, attested)),
      ]);
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        response: {
          clientDataJSON: base64url(client),
          attestationObject: base64url(attestation),
          transports: ['internal'],
        },
        clientExtensionResults: {},
      };
    },
    /** What `navigator.credentials.get` would return. */
    get(options: PasskeyRequest, bent: Bent = {}) {
      const data = authData(options.rpId, bent);
      const client = clientData('webauthn.get', options.challenge, bent);
      const userHandle = bent.userHandle === undefined ? handle : bent.userHandle;
      return {
        id: bent.id ?? base64url(id),
        rawId: bent.id ?? base64url(id),
        type: 'public-key',
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
          ...(userHandle !== null && { userHandle }),
        },
        clientExtensionResults: {},
      };
    },
  };
}

export type SoftPasskey = ReturnType<typeof softPasskey>;

/** Adds a passkey like a user; returns it with the answer. */
export async function addPasskey(client: Client, origin: string, name = 'Laptop') {
  const passkey = softPasskey(origin);
  const begun = await client.post('/api/profile/passkeys/options');
  if (begun.status !== 200) throw new Error(JSON.stringify(begun.body));
  const credential = passkey.create((begun.body.data as { options: PasskeyCreation }).options);
  const answer = await client.post('/api/profile/passkeys', { name, credential });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  const { passkey: stored, recovery_codes } = answer.body.data as {
    passkey: { id: number };
    recovery_codes: string[] | null;
  };
  return { passkey, id: stored.id, recovery_codes, message: answer.body.message as string };
}

/** Signs in with a passkey like a browser; `bent` changes its response. */
export async function signInWith(client: Client, passkey: SoftPasskey, bent: Bent = {}) {
  const begun = await client.post('/api/passkeys/sign-in/options');
  const { options } = begun.body.data as { options: PasskeyRequest };
  return client.post('/api/passkeys/sign-in', { credential: passkey.get(options, bent) });
}
