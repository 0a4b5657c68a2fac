import { useMutation, useQueryClient, type FetchQueryOptions } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ApiError } from '../api/api-error.ts';
import { useSession } from '../api/session.tsx';
import {
  createAutosave,
  type Autosave,
  type AutosaveState,
  type AutosaveDraft,
  type DraftOptions,
} from './autosave.ts';
import { useRegisterDraft, useStoredDraft } from './drafts.ts';

type Reply<Row> = { data: Row; message: string };

type Source<Row, Body, Side extends string> = {
  /** Identifies the form and its record. */
  name: string;
  row: Row;
  plan: () => DraftOptions<Row, Body, Side>;
  send: (body: Body & { revision: number }) => Promise<Row>;
  /** Reads the record. */
  query: FetchQueryOptions<Reply<Row>, ApiError>;
};

/** The draft of a record as React state: it follows refetches and saves itself when the page is left. */
export function useAutosave<Row extends { revision: number }, Body extends object, Side extends string>({
  name,
  row,
  plan,
  send,
  query,
}: Source<Row, Body, Side>): { draft: Autosave<Row, Side>; state: AutosaveState<Side> } {
  const queries = useQueryClient();
  const { user } = useSession();
  const kept = useStoredDraft<AutosaveDraft<Side>>(name, user?.id);
  const { mutateAsync } = useMutation<Row, ApiError, Body & { revision: number }>({
    mutationFn: send,
    onSuccess: (data) => queries.setQueryData<Reply<Row>>(query.queryKey, { data, message: '' }),
  });
  const [draft] = useState(() => {
    const reread = async () => (await queries.fetchQuery({ ...query, staleTime: 0 })).data;
    return createAutosave(row, plan(), { send: mutateAsync, reread }, kept);
  });
  const state = useSyncExternalStore(draft.subscribe, draft.read);
  useRegisterDraft(name, () =>
    draft.isDirty() ? { base: draft.read().base, values: draft.read().values } : undefined,
  );
  useEffect(() => draft.newer(row), [draft, row]);
  useEffect(() => {
    const flush = () => void draft.flush();
    const leave = () => document.visibilityState === 'hidden' && flush();
    // the draft of an ended session
    flush();
    window.addEventListener('online', flush);
    document.addEventListener('visibilitychange', leave);
    return () => {
      window.removeEventListener('online', flush);
      document.removeEventListener('visibilitychange', leave);
      draft.stop();
    };
  }, [draft]);
  return { draft, state };
}
