/** Why an answer of a SAML provider is refused, for the log and for the person who sets up the provider. */
const reasons = [
  'algorithm',
  'audience',
  'bearer',
  'certificate',
  'destination',
  'encrypted',
  'expired',
  'in_response_to',
  'issuer',
  'name_id_format',
  'name_id_qualifier',
  'not_yet',
  'recipient',
  'refused',
  'shape',
  'signature',
  'status',
  'subject',
  'time',
  'too_large',
  'unsigned',
  'xml',
] as const;

const known: ReadonlySet<string> = new Set(reasons);

/** The reason in a query string, which any page could have written. */
export function reasonIn(query: string | undefined): string | undefined {
  const reason = new URLSearchParams(query).get('error') ?? '';
  return known.has(reason) ? reason : undefined;
}
