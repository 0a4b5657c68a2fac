import { employees, profile, type Employee } from '@tenure/contract';
import type { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { useSend } from '../../../api/query.ts';

type Written = { employee: Employee; warnings: string[] };
type Then = { onDone?: (written: Written) => void; onRefused: (error: ApiError) => void };

/** Reads and writes a person's record: of the directory, or of the user's own profile. */
export type RecordSource = {
  read: () => Promise<Employee>;
  write: (body: Record<string, unknown>, then: Then) => void;
  error: ApiError | null;
  isPending: boolean;
};

/** `reveal`: private details are being edited, so the reads include them. */
export function useRecordSource(id: number, own: boolean, reveal: boolean): RecordSource {
  const among = useSend(employees.update);
  const mine = useSend(profile.update);
  const params = { id };
  return {
    error: own ? mine.error : among.error,
    isPending: mine.isPending || among.isPending,
    read: async () =>
      own
        ? ownRecord(await call(profile.get, {}))
        : (await call(employees.get, { params, query: reveal ? { reveal: 'private' } : {} })).data,
    write: (body, { onDone, onRefused }) => {
      if (own)
        mine.mutate(
          { body },
          { onSuccess: (reply) => onDone?.({ employee: ownRecord(reply), warnings: [] }), onError: onRefused },
        );
      else
        among.mutate(
          { params, body },
          { onSuccess: ({ data, warnings = [] }) => onDone?.({ employee: data, warnings }), onError: onRefused },
        );
    },
  };
}

/** A user who edits their own record has one. */
const ownRecord = ({ data }: { data: { employee: Employee | null } }): Employee => data.employee as Employee;
