import {
  employees,
  identityProviders,
  scimConnections,
  type NewcomerOfProvider,
  type WaitingPerson,
} from '@tenure/contract';
import type { ApiError } from '../../../api/api-error.ts';
import type { Input } from '../../../api/call.ts';
import { useSend } from '../../../api/query.ts';
import { assignmentsOf, type Access } from './access.ts';
import { fields } from './fields.ts';
import { bodyOf, type Values } from './values.ts';

type Issued = { name: string; one_time_password: string; expires_at: string };
export type Created = { id: number; name: string; password: Issued | undefined; warnings: string[] };
type Then = { onDone: (person: Created) => void; onRefused: (error: ApiError) => void };

/** Is there an address to sign in with? */
export const hasAddress = ({ email = '' }: Values): boolean => email.trim() !== '';

/** Omits empty fields, so that the service fills in defaults; an empty address is sent, as it means no sign-in. */
function personOf(values: Values, access: Access) {
  const filled = fields.map(({ name }) => name).filter((name) => (values[name] ?? '').trim() !== '');
  const assignments = assignmentsOf(access);
  return { email: null, ...bodyOf(values, filled), ...(assignments.length > 0 && { assignments }) };
}

/** Adds a person. */
export function useCreate() {
  const create = useSend(employees.create);
  const send = (values: Values, access: Access, { onDone, onRefused }: Then) => {
    const body = { ...personOf(values, access), ...(access.password && { issue_password: true }) } as Input<
      typeof employees.create
    >['body'];
    create.mutate(
      { body },
      {
        onSuccess: ({ data, warnings = [], one_time_password, expires_at }) => {
          const name = data.display_name;
          const issued = one_time_password && expires_at ? { name, one_time_password, expires_at } : undefined;
          onDone({ id: data.id, name, password: issued, warnings });
        },
        onError: onRefused,
      },
    );
  };
  return { send, error: create.error, isPending: create.isPending };
}

type Linked = { data: { employee_id: number }; warnings?: string[] | undefined };

/** What follows a person who was added and linked. */
const thenLinked = ({ first_name, last_name }: Values, { onDone, onRefused }: Then) => ({
  onSuccess: ({ data, warnings = [] }: Linked) => {
    const name = [first_name, last_name].filter(Boolean).join(' ');
    onDone({ id: data.employee_id, name, password: undefined, warnings });
  },
  onError: onRefused,
});

/** Adds a user of an identity provider as a person, and links the two. */
export function useCreateNewcomer({ id, connection }: Pick<NewcomerOfProvider, 'id' | 'connection'>) {
  const create = useSend(scimConnections.createWaiting);
  const send = (values: Values, access: Access, then: Then) => {
    const body = personOf(values, access) as Input<typeof scimConnections.createWaiting>['body'];
    create.mutate({ params: { id: connection.id, waitingId: id }, body }, thenLinked(values, then));
  };
  return { send, error: create.error, isPending: create.isPending };
}

/** Adds someone who tried to sign in as a person, and links the two. */
export function useCreateTried({ id, provider }: Pick<WaitingPerson, 'id' | 'provider'>) {
  const create = useSend(identityProviders.createUnmatched);
  const send = (values: Values, access: Access, then: Then) => {
    const body = personOf(values, access) as Input<typeof identityProviders.createUnmatched>['body'];
    create.mutate({ params: { id: provider.id, unmatchedId: id }, body }, thenLinked(values, then));
  };
  return { send, error: create.error, isPending: create.isPending };
}

export type Creating = ReturnType<typeof useCreate>;
