import { employees, maxPasswordPeople, type PasswordsIssued, type PersonRef } from '@tenure/contract';
import { queryOptions } from '@tanstack/react-query';
import type { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';

export type Delivery = PasswordsIssued['delivery'];
export type Refusal = { id: number; person: PersonRef | undefined; reason: string };
/** An issued sign-in: a one-time password, or a link sent by mail. */
export type IssuedPassword = { person: PersonRef; email: string; expires_at: string; one_time_password?: string };

/** The people who would get a password, and those who would be refused. */
export type IssuePreview = { ready: readonly number[]; refused: readonly Refusal[]; mailIsOn: boolean };

/** People per request: the service hashes hundreds of passwords a minute, and a request must not time out. */
const partOf: Record<Delivery, number> = { mail: maxPasswordPeople, screen: 25 };

export const inParts = (ids: readonly number[], size: number): number[][] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, index) => ids.slice(index * size, (index + 1) * size));

const refusalsOf = ({ refused, people }: PasswordsIssued): Refusal[] => {
  const known = new Map(people.map((person) => [person.id, person]));
  return refused.map(({ employee_id: id, reason }) => ({ id, person: known.get(id), reason }));
};

async function preview(ids: readonly number[], signal: AbortSignal): Promise<IssuePreview> {
  let mailIsOn = false;
  const refused: Refusal[] = [];
  for (const employee_ids of inParts(ids, maxPasswordPeople)) {
    const body = { employee_ids, dry_run: true };
    // oxlint-disable-next-line no-await-in-loop -- one request at a time
    const { data } = await call(employees.resetPasswords, { body }, { signal });
    mailIsOn = data.mail_is_on;
    refused.push(...refusalsOf(data));
  }
  const out = new Set(refused.map(({ id }) => id));
  return { ready: ids.filter((id) => !out.has(id)), refused, mailIsOn };
}

/** Previews issuing passwords; the result is not kept after the dialog closes. */
export const previewQuery = (key: string, load: (signal: AbortSignal) => Promise<readonly number[]>) =>
  queryOptions<IssuePreview, ApiError>({
    queryKey: ['passwords', key],
    queryFn: async ({ signal }) => preview([...new Set(await load(signal))], signal),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });

/** Issues passwords to the next of the remaining people. */
export async function issuePart(left: readonly number[], delivery: Delivery) {
  const employee_ids = left.slice(0, partOf[delivery]);
  const { data } = await call(employees.resetPasswords, { body: { employee_ids, delivery } });
  const known = new Map(data.people.map((person) => [person.id, person]));
  const given = [...data.issued, ...data.sent].flatMap(({ employee_id, ...rest }): IssuedPassword[] => {
    const person = known.get(employee_id);
    return person ? [{ ...rest, person }] : [];
  });
  return { given, refused: refusalsOf(data), left: left.slice(partOf[delivery]) };
}
