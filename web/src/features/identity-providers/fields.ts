import type { BodyIn, identityProviders, IdentityProvider } from '@tenure/contract';
import { ApiError } from '../../api/api-error.ts';
import type { Texts } from '../../ui/versions.ts';

const shared = [
  'kind',
  'name',
  'domains',
  'entity_ids',
  'match_rule',
  'groups_claim',
  'second_factor',
  'second_factor_values',
  'session_max_hours',
] as const;

/** The fields of each kind of provider except the secret, which no draft may store. */
export const fieldsOf = {
  oidc: [...shared, 'issuer', 'client_id', 'client_auth', 'scopes', 'address_claim', 'subject_claim', 'end_session'],
  saml: [...shared, 'metadata_url', 'metadata_xml', 'address_attribute', 'subject_attribute'],
} as const;
export type Kind = keyof typeof fieldsOf;
export type Field = (typeof fieldsOf)[Kind][number];
const fields: readonly Field[] = [...new Set([...fieldsOf.oidc, ...fieldsOf.saml])];

export const kindOf = ({ kind }: Texts): Kind => (kind === 'saml' ? 'saml' : 'oidc');

/** The texts of a kind, without those entered for the other kind before it was selected. */
export const ofKind = (kind: Kind, texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => fieldsOf[kind].includes(name as never)));

/** The values of a new provider, equal to the defaults of the service. */
export const newTexts: Texts = {
  ...Object.fromEntries(fields.map((name) => [name, ''])),
  kind: 'oidc',
  client_auth: 'client_secret_basic',
  scopes: 'openid profile email',
  match_rule: 'verified_email',
  address_claim: 'email',
  subject_claim: 'sub',
  second_factor: 'never',
  end_session: 'false',
};

const lists = { scopes: ' ', domains: '\n', entity_ids: ',', second_factor_values: ' ' } as const;

/** The typed values of a list, separated by spaces, commas or lines. */
export const partsOf = (text = ''): string[] => text.split(/[\s,;]+/).filter(Boolean);

export const textsOf = (provider: IdentityProvider): Texts =>
  Object.fromEntries(
    fields.map((name) => {
      // metadata is read once and not kept
      const value = name === 'metadata_url' || name === 'metadata_xml' ? '' : provider[name];
      return [name, Array.isArray(value) ? value.join(lists[name as keyof typeof lists]) : String(value ?? '')];
    }),
  );

const hoursOf = (text: string) => {
  const hours = Number(text.replace(',', '.'));
  // the service refuses text that is not a number
  return text.trim() === '' ? null : Number.isNaN(hours) ? text : hours;
};

function valueOf(name: string, text: string): unknown {
  if (name === 'session_max_hours') return hoursOf(text);
  if (name === 'end_session') return text === 'true';
  if (name === 'entity_ids') return text === '' ? null : partsOf(text).map(Number);
  if (name === 'domains') return partsOf(text).map((domain) => domain.replace(/^@/, ''));
  return name in lists ? partsOf(text) : text.trim();
}

export type Body = BodyIn<typeof identityProviders.update>;

/** The changed fields as a request body. */
export const bodyOf = (changed: Texts): Body =>
  Object.fromEntries(Object.entries(changed).map(([name, text]) => [name, valueOf(name, text)]));

/** Turns a refusal of one value of a list (`domains.0`) into a refusal of its field. */
export function byField(error: unknown): unknown {
  if (!(error instanceof ApiError) || !error.refusal.errors) return error;
  const errors: Record<string, string[]> = {};
  for (const [name, messages] of Object.entries(error.refusal.errors)) {
    const field = name.replace(/\.\d+$/, '');
    errors[field] = [...new Set([...(errors[field] ?? []), ...messages])];
  }
  return new ApiError(error.status, { ...error.refusal, errors });
}
