import { identityProviders, scimConnections, type NewcomerOfProvider, type WaitingPerson } from '@tenure/contract';
import { queryOptions } from '@tanstack/react-query';
import { load } from '../../../api/query.ts';
import type { Values } from './values.ts';

/** A user of an identity provider; read only once, so that the initial values of the form stay. */
export const newcomerQuery = (id: number, waitingId: string) =>
  queryOptions({ ...load(scimConnections.oneWaiting, { params: { id, waitingId } }), staleTime: Infinity });

/** What the identity provider calls the user. */
export const calledOf = ({ display_name: name, user_name }: NewcomerOfProvider): string => name ?? user_name;

const isAddress = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text);

/** What the identity provider knows, as form values. */
export function valuesOfNewcomer(user: NewcomerOfProvider): Values {
  const email = user.email ?? (isAddress(user.user_name) ? user.user_name : null);
  const known = {
    first_name: user.first_name,
    last_name: user.last_name,
    email,
    employee_number: user.employee_number,
    job_title: user.job_title,
    entity_id: user.place && String(user.place.entity.id),
    department_id: user.place && String(user.place.department.id),
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null));
}

/** A person who tried to sign in; read only once. */
export const triedQuery = (id: number, unmatchedId: number) =>
  queryOptions({ ...load(identityProviders.oneUnmatched, { params: { id, unmatchedId } }), staleTime: Infinity });

/** Splits a full name: the first name follows a comma; without a comma, the last word is the last name. */
function namesIn(name: string): Values {
  const [last = '', first] = name.split(',').map((part) => part.trim());
  if (first !== undefined) return { first_name: first, last_name: last };
  const words = name.trim().split(/\s+/);
  const end = words.pop() ?? '';
  return words.length > 0 ? { first_name: words.join(' '), last_name: end } : { first_name: end };
}

/** The provider's claims about a person who tried to sign in, as form values. */
export const valuesOfTried = ({ name, email }: WaitingPerson): Values => ({
  ...(name !== null && namesIn(name)),
  ...(email !== null && { email }),
});
