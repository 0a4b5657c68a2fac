import { ed25519PublicKey, hmac, randomBytes, signEd25519 } from './crypto.ts';

/** Webhook signatures as standardwebhooks.com defines them, so that receivers can verify them with its libraries. */

export type SignatureKind = 'v1' | 'v1a';

/** A key to seal, and what users see of it: the secret itself once, or the public half at any time. */
export type WebhookKey = { secret: Buffer; shown: string | null; public_key: string | null };

/** 32 random bytes: the key of an HMAC, or the seed of a key pair. */
export function newWebhookKey(kind: SignatureKind): WebhookKey {
  const secret = randomBytes(32);
  if (kind === 'v1') return { secret, shown: `whsec_${secret.toString('base64')}`, public_key: null };
  return { secret, shown: null, public_key: `whpk_${ed25519PublicKey(secret).toString('base64')}` };
}

export type SignedMessage = { id: string; timestamp: number; body: string };

/** The signatures of a message by each key, in the form of the `webhook-signature` header. */
export function signMessage(kind: SignatureKind, keys: readonly Uint8Array[], message: SignedMessage): string {
  const text = `${message.id}.${message.timestamp}.${message.body}`;
  return keys
    .map((key) => (kind === 'v1' ? hmac(key, text) : signEd25519(key, text)))
    .map((signature) => `${kind},${signature.toString('base64')}`)
    .join(' ');
}
