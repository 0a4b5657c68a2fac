import {
  employeePasswords,
  maxPasswordPeople,
  type PasswordsIssued,
  type PersonRef,
  type SentPurpose,
} from '@tenure/contract';
import { queryOptions } from '@tanstack/react-query';
import type { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';

export type Delivery = PasswordsIssued['delivery'];
/** Why people get a new password: an invitation is for people without a password of their own. */
export type Purpose = SentPurpose;
export type Refusal = { id: number; person: PersonRef | undefined; reason: string };
/** An issued sign-in: a one-time password, or a link sent by mail. */
export type IssuedPassword = { person: PersonRef; email: string; expires_at: string; one_time_password?: string };

/** The people who would get a password by each delivery, and those who would not. */
export type IssuePreview = {
  mailIsOn: boolean;
  /** The number of people per sign-in provider among those who would get a mail. */
  through: readonly { provider: string; count: number }[];
  /** Days a link would be valid for. */
  linkDays: number;
  of: Record<Delivery, { ready: readonly number[]; refused: readonly Refusal[] }>;
};

/** People per request: the service hashes hundreds of passwords a minute, and a request must not time out. */
const partOf: Record<Delivery, number> = { mail: maxPasswordPeople, screen: 25 };

export const inParts = (ids: readonly number[], size: number): number[][] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, index) => ids.slice(index * size, (index + 1) * size));

const refusalsOf = ({ refused, people }: PasswordsIssued): Refusal[] => {
  const known = new Map(people.map((person) => [person.id, person]));
  return refused.map(({ employee_id: id, reason }) => ({ id, person: known.get(id), reason }));
};

const endpoints = {
  password_reset: employeePasswords.resetPasswords,
  invitation: employeePasswords.inviteMany,
} as const;

type Asked = { ids: readonly number[]; purpose: Purpose; delivery?: Delivery; signal: AbortSignal };

/** The people who would get a password by a delivery, the default one unless another is given. */
async function previewOf({ ids, purpose, delivery, signal }: Asked) {
  let mailIsOn = false;
  let linkDays = 0;
  const refused: Refusal[] = [];
  const through = new Map<string, number>();
  for (const employee_ids of inParts(ids, maxPasswordPeople)) {
    const body = { employee_ids, dry_run: true, ...(delivery && { delivery }) };
    // oxlint-disable-next-line no-await-in-loop -- one request at a time
    const { data } = await call(endpoints[purpose], { body }, { signal });
    mailIsOn = data.mail_is_on;
    linkDays = data.link_hours / 24;
    refused.push(...refusalsOf(data));
    for (const { provider } of data.through_provider ?? []) through.set(provider, (through.get(provider) ?? 0) + 1);
  }
  const out = new Set(refused.map(({ id }) => id));
  return {
    mailIsOn,
    linkDays,
    through: [...through].map(([provider, count]) => ({ provider, count })),
    group: { ready: ids.filter((id) => !out.has(id)), refused },
  };
}

async function preview(asked: Omit<Asked, 'delivery'>): Promise<IssuePreview> {
  const { group, ...known } = await previewOf(asked);
  if (!known.mailIsOn) return { ...known, of: { mail: { ready: [], refused: [] }, screen: group } };
  const { group: screen } = await previewOf({ ...asked, delivery: 'screen' });
  return { ...known, of: { mail: group, screen } };
}

/** Previews issuing passwords; the result is not kept after the dialog closes. */
export const previewQuery = (
  purpose: Purpose,
  key: string,
  load: (signal: AbortSignal) => Promise<readonly number[]>,
) =>
  queryOptions<IssuePreview, ApiError>({
    queryKey: ['passwords', purpose, key],
    queryFn: async ({ signal }) => preview({ ids: [...new Set(await load(signal))], purpose, signal }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });

/** Issues passwords to the next of the remaining people. */
export async function issuePart(purpose: Purpose, delivery: Delivery, left: readonly number[]) {
  const employee_ids = left.slice(0, partOf[delivery]);
  const { data } = await call(endpoints[purpose], { body: { employee_ids, delivery } });
  const known = new Map(data.people.map((person) => [person.id, person]));
  const given = [...data.issued, ...data.sent].flatMap(({ employee_id, ...rest }): IssuedPassword[] => {
    const person = known.get(employee_id);
    return person ? [{ ...rest, person }] : [];
  });
  return { given, refused: refusalsOf(data), left: left.slice(partOf[delivery]) };
}
