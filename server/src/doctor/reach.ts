import { reasonOf } from '../backup/refusal.ts';

/** Remedies for failed connections to a server, by error code. */
const remedies: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens there: start the server, or correct host and port',
  ENOENT: 'Nothing listens there: start the server, or correct the path',
  ENOTFOUND: 'The name is unknown: correct the host, or the DNS of this machine',
  EAI_AGAIN: 'The name cannot be looked up: correct the host, or the DNS of this machine',
  ETIMEDOUT: 'Open the firewall on the way, or correct the host',
  UND_ERR_CONNECT_TIMEOUT: 'Open the firewall on the way, or correct the host',
  EHOSTUNREACH: 'There is no route to the host: correct the network or the host',
  ECONNRESET: 'The server closed the connection: check its log and the port',
  CERT_HAS_EXPIRED: 'Renew the certificate of the server',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Use a certificate of a known authority, or give yours in NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'Use a certificate of a known authority, or give yours in NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Configure the server to send its whole certificate chain',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Configure the server to send its whole certificate chain',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Use the host name that the certificate is issued for',
  '28P01': 'Correct the password',
  '28000': 'Allow this role to connect from this machine (pg_hba.conf of the server)',
  '3D000': 'Create the database, or correct its name',
  '42501': 'Allow the role to connect: grant connect on database … to …',
  '53300': 'The server has no free connection: raise its max_connections, or the limit of the role',
  '57P03': 'The server is starting or stopping: wait a moment, and check its log',
  '08P01': 'A pooler refuses the connection: see "Pooler" in docs/operations.md, and check its log',
};

const texts: [RegExp, string][] = [
  [/timeout/i, 'Open the firewall on the way, or correct the host'],
  [/does not support SSL/, 'Enable TLS on the server, or remove sslmode'],
  [/password must be a string/, 'Add a password to the address'],
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
    remedies[code] ?? texts.find(([pattern]) => pattern.test(message))?.[1] ?? 'Check the log of the server';
  return { what: reasonOf(error), remedy: `${remedy} (${setting}).` };
}
