import { employees } from '@tenure/contract';
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

/**
 * Adds a person. Empty fields are not sent, so that the service fills in defaults, except the address: who has none gets
 * no sign-in.
 */
export function useCreate() {
  const create = useSend(employees.create);
  const send = (values: Values, access: Access, { onDone, onRefused }: Then) => {
    const filled = fields.map(({ name }) => name).filter((name) => (values[name] ?? '').trim() !== '');
    const assignments = assignmentsOf(access);
    const body = {
      email: null,
      ...bodyOf(values, filled),
      ...(access.password && { issue_password: true }),
      ...(assignments.length > 0 && { assignments }),
    } as Input<typeof employees.create>['body'];
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
