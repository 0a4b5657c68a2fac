import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { ActorRef, instant, item, page } from './envelope.ts';
import { oneOf, revision, text } from './fields.ts';
import { filters, listQuery } from './lists.ts';

export const signatureRoles = ['manager', 'hr', 'employee'] as const;
export const signatureMethods = ['typed', 'drawn'] as const;

/**
 * A drawn or uploaded signature: PNG, base64 with or without the prefix of a data URL, at most 200 KB decoded. Larger
 * ones are accepted here, so that the refusal can state the limit in kilobytes.
 */
const image = text(1_000_000, 1);

/** A signature as it is sent; the method determines which of the two fields is needed. */
export const SignatureInput = z.object({
  method: oneOf(signatureMethods),
  typed_name: text(200, 2).nullish(),
  image: image.nullish(),
});
export type SignatureInput = z.output<typeof SignatureInput>;

export const ProbationSignature = z.object({
  id: z.int(),
  role: z.enum(signatureRoles),
  signer: ActorRef,
  method: z.enum(signatureMethods),
  typed_name: z.string().max(200).nullable(),
  image_url: z.string().max(255).nullable(),
  /** SHA-256 over the canonical content that was signed, in hexadecimal. */
  content_hash: z.string().max(64),
  round: z.int(),
  valid: z.boolean(),
  voided_at: instant.nullable(),
  signed_at: instant,
});
export type ProbationSignature = z.output<typeof ProbationSignature>;

/** Whether the stored content is what was signed. */
export const ProbationVerification = z.object({
  review_id: z.int(),
  checked_at: instant,
  /** Every signature that counts matches the record. */
  matches: z.boolean(),
  signatures: z.array(
    ProbationSignature.extend({
      /** The short form of the hash that is printed on documents. */
      reference: z.string().max(20),
      /** The hash of the stored content; null if the signature no longer counts. */
      current_hash: z.string().max(64).nullable(),
      matches: z.boolean().nullable(),
      /** The stored picture is the one that was used for signing; null for a typed name. */
      image_matches: z.boolean().nullable(),
      /** Fields whose stored value differs from the signed one. */
      differences: z.array(z.string().max(60)),
    }),
  ),
});
export type ProbationVerification = z.output<typeof ProbationVerification>;

const path = '/probation-reviews/:id/signatures';
const read = { method: 'GET', permission: 'probation-review.view', scope: 'scoped', status: 200 } as const;

export const probationSignatures = {
  list: endpoint({
    ...read,
    path,
    summary: 'List the signatures of a probation review',
    query: listQuery(['signed_at', 'role', 'round'], {
      role: filters.oneOf(signatureRoles),
      round: filters.integers(),
      valid: filters.flag(),
    }),
    reply: page(ProbationSignature),
  }),
  image: endpoint({
    ...read,
    path: `${path}/:signatureId/image`,
    summary: 'Download the picture of a drawn signature',
    file: ['png'],
  }),
  sign: endpoint({
    method: 'POST',
    path,
    summary: 'Sign a probation review',
    accepts: 'session',
    permission: 'probation-review.view',
    scope: 'relationship',
    body: SignatureInput.extend(revision),
    upload: 'signature',
    upload_optional: true,
    reply: item(ProbationSignature),
    status: 201,
  }),
  verify: endpoint({
    ...read,
    path: '/probation-reviews/:id/verify',
    summary: 'Compare a probation review with its signatures',
    reply: item(ProbationVerification),
  }),
};
