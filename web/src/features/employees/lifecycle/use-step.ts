import type { Employee, Endpoint, Reply } from '@tenure/contract';
import { useState } from 'react';
import type { Input } from '../../../api/call.ts';
import { useSend } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { useRegisterDraft, useStoredDraft } from '../../../ui/drafts.ts';
import type { DialogName } from '../search.ts';

type Texts = Record<string, string>;

/** The state of a lifecycle dialog: its fields as text, and the service's messages. */
export function useStep<E extends Endpoint>(name: DialogName, endpoint: E, employee: Employee, start: Texts = {}) {
  const { user } = useSession();
  const draft = `employees.${employee.id}.do.${name}`;
  const kept = useStoredDraft<Texts>(draft, user?.id);
  const [values, setValues] = useState<Texts>(kept ?? start);
  useRegisterDraft(draft, () => values);
  const send = useSend(endpoint);
  const errors = send.error?.fieldErrors ?? {};
  return {
    values,
    error: send.error,
    isPending: send.isPending,
    text: (field: string) => values[field] ?? '',
    set: (field: string, value: string) => setValues((old) => ({ ...old, [field]: value })),
    /** The input properties of a text field. */
    field: (field: string) => ({
      value: values[field] ?? '',
      onChange: (value: string) => setValues((old) => ({ ...old, [field]: value })),
      ...(errors[field] !== undefined && { error: errors[field] }),
    }),
    send: (body: Record<string, unknown> | undefined, onDone: (reply: Reply<E>) => void) =>
      send.mutate(
        {
          params: { id: employee.id },
          ...(body && { body: { ...body, revision: employee.revision } }),
        } as unknown as Input<E>,
        { onSuccess: onDone },
      ),
  };
}
