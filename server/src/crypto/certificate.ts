import { X509Certificate } from 'node:crypto';

/** Certificates that verify signatures made by others. */

export type Certificate = {
  /** Base64 of DER, as it is stored. */
  der: string;
  subject: string;
  /** SHA-256 as pairs of hexadecimal digits, as other tools show it. */
  fingerprint: string;
  valid_from: string;
  valid_until: string;
  /** The key's type, and for RSA its length in bits. */
  key: { type: string; bits: number };
};

/** Parses a certificate from base64 of DER; undefined for anything else. */
export function readCertificate(base64: string): Certificate | undefined {
  try {
    const der = Buffer.from(base64.replaceAll(/\s/g, ''), 'base64');
    const { raw, subject, fingerprint256, validFromDate, validToDate, publicKey } = new X509Certificate(der);
    return {
      der: raw.toString('base64'),
      subject: subject.replaceAll('\n', ', ').slice(0, 255),
      fingerprint: fingerprint256,
      valid_from: validFromDate.toISOString(),
      valid_until: validToDate.toISOString(),
      key: { type: publicKey.asymmetricKeyType ?? '', bits: publicKey.asymmetricKeyDetails?.modulusLength ?? 0 },
    };
  } catch {
    return undefined;
  }
}

/** A stored certificate as PEM. */
export const pemOf = (der: string): string =>
  `-----BEGIN CERTIFICATE-----\n${(der.match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`;
