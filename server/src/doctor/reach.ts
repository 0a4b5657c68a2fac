import { reasonOf } from '../backup/refusal.ts';

/** Remedies for failed connections to a server, by error code. */
const remedies: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens there: start the server, or correct host and port',
  ENOENT: 'Nothing listens there: start the server, or correct the path',
  ENOTFOUND: 'The name is unknown: correct the host, or the DNS of this machine',
  EAI_AGAIN: 'The name cannot be looked up: correct the host, or the DNS of this machine',
  ETIMEDOUT: 'Open the firewall on the way, or correct the host',
  UND_ERR_CONNECT_TIMEOUT: 'Open the firewall on the way, or correct the host',
  EHOSTUNREACH: 'There is no way to the host: correct the network or the host',
  ECONNRESET: 'The server hangs up: look at its log, and at the port',
  CERT_HAS_EXPIRED: 'Renew the certificate of the server',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Use a certificate of a known authority, or name yours in NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'Use a certificate of a known authority, or name yours in NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Let the server send its whole chain of certificates',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Let the server send its whole chain of certificates',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Use the name that the certificate is made for',
  '28P01': 'Correct the password',
  '28000': 'Let the server admit this role from here (pg_hba.conf)',
  '3D000': 'Create the database, or correct its name',
  '42501': 'Let the role connect: grant connect on database … to …',
  '53300': 'The server has no connection left: raise its max_connections, or the limit of the role',
  '57P03': 'The server starts or stops: wait a moment and look at its log',
  '08P01': 'A pooler refuses the connection: see "Pooler" in docs/operations.md, and look at its log',
};

const texts: [RegExp, string][] = [
  [/timeout/i, 'Open the firewall on the way, or correct the host'],
  [/does not support SSL/, 'Let the server speak TLS, or remove sslmode'],
  [/password must be a string/, 'Give a password'],
];

/** What to do about a connection error; undefined if it has another cause. */
export const remedyFor = ({ code = '' }: NodeJS.ErrnoException): string | undefined => remedies[code];

/** Why a server could not be reached, and what to do about the setting. */
export function unreachable(error: unknown, setting: string): { what: string; remedy: string } {
  const { code = '', message, cause } = error as NodeJS.ErrnoException;
  // fetch only reports that it failed; its cause says why
  if (cause instanceof Error && !(code in remedies)) return unreachable(cause, setting);
  // the service's own refusals say what to do in their next sentence
  const [, own, advice] = (code === '' && /^(.*?)\. ([A-Z].*)$/s.exec(message)) || [];
  if (own && advice) return { what: own, remedy: advice };
  const remedy =
    remedies[code] ?? texts.find(([pattern]) => pattern.test(message))?.[1] ?? 'Look at the log of the server';
  return { what: reasonOf(error), remedy: `${remedy} (${setting}).` };
}
