import { generateKeyPairSync } from 'node:crypto';
import { randomId } from './crypto.ts';

/** Keys that sign as ES256 (ECDSA over P-256). */

export type NewClientKey = { kid: string; publicKey: Record<string, unknown>; pkcs8: Buffer };

/** A new key pair: the public half as a JSON Web Key, the private half as the bytes to seal. */
export function newClientKey(): NewClientKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomId();
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
  return {
    kid,
    publicKey: { kty, crv, x, y, kid, use: 'sig', alg: 'ES256' },
    pkcs8: privateKey.export({ format: 'der', type: 'pkcs8' }),
  };
}

/** A private key that can sign but not be exported. */
export const signerOf = (pkcs8: Uint8Array): Promise<CryptoKey> =>
  crypto.subtle.importKey('pkcs8', new Uint8Array(pkcs8), { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
