import { roles, type Permission, type PermissionRow, type Role } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isOutdated } from '../../api/api-error.ts';
import { load, useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { useRegisterDraft, useStoredDraft } from '../../ui/drafts.ts';

export type ConcurrentChange = { given: string[]; taken: string[] };

const without = (these: Iterable<string>, those: ReadonlySet<string>) => [...these].filter((name) => !those.has(name));

/** Stores the permissions of a role; `meanwhile` holds the concurrent change that caused a refusal. */
function usePermissionUpdate(role: Role) {
  const queries = useQueryClient();
  const send = useSend(roles.setPermissions);
  const [concurrentChange, setConcurrentChange] = useState<ConcurrentChange>();
  const stored = new Set<string>(role.permissions);
  const read = async () => (await queries.fetchQuery({ ...load(roles.matrix, {}), staleTime: 0 })).data.roles;
  const compare = async () => {
    const now = (await read()).find(({ id }) => id === role.id);
    if (!now) return;
    setConcurrentChange({ given: without(now.permissions, stored), taken: without(stored, new Set(now.permissions)) });
    send.reset();
  };
  const update = async (held: ReadonlySet<string>): Promise<boolean> => {
    setConcurrentChange(undefined);
    try {
      const body = { permissions: [...held] as Permission[], revision: role.revision };
      await send.mutateAsync({ params: { id: role.id }, body });
      return true;
    } catch (problem) {
      if (isOutdated(problem, role.revision)) await compare();
      return false;
    }
  };
  const { error, isPending } = send;
  return { error, isPending, concurrentChange, update, clear: () => setConcurrentChange(undefined) };
}

/**
 * The unsaved permission changes of a role, kept as differences. After a concurrent change they apply to the new
 * state, and `meanwhile` holds the other change.
 */
export function useRoleDraft(role: Role, catalogue: readonly PermissionRow[]) {
  const { user } = useSession();
  const draft = `roles.${role.id}`;
  const kept = useStoredDraft<[string, boolean][]>(draft, user?.id);
  const [changes, setChanges] = useState<ReadonlyMap<string, boolean>>(new Map(kept));
  const { error, isPending, concurrentChange, update, clear } = usePermissionUpdate(role);
  const stored = new Set<string>(role.permissions);
  const has = (name: string) => changes.get(name) ?? stored.has(name);
  const held = new Set<string>(catalogue.map(({ name }) => name).filter(has));
  const gives = without(held, stored);
  const takes = without(stored, held);
  const isDirty = gives.length + takes.length > 0;
  useRegisterDraft(draft, () => (isDirty ? [...changes] : undefined));
  const save = async (): Promise<boolean> => {
    const isSaved = await update(held);
    if (isSaved) setChanges(new Map());
    return isSaved;
  };
  const change = (more: ReadonlyMap<string, boolean>) => setChanges((old) => new Map([...old, ...more]));
  const discard = () => {
    setChanges(new Map());
    clear();
  };
  return { held, gives, takes, concurrentChange, error, isPending, isDirty, change, discard, save };
}

export type RoleDraft = ReturnType<typeof useRoleDraft>;
