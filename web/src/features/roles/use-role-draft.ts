import { roles, type Permission, type PermissionRow, type Role } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isOutdated } from '../../api/api-error.ts';
import { load, useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { useDraftKeeper, useKeptDraft } from '../../ui/drafts.ts';

export type Meanwhile = { given: string[]; taken: string[] };

const without = (these: Iterable<string>, those: ReadonlySet<string>) => [...these].filter((name) => !those.has(name));

/**
 * What somebody changes about the permissions of a role, kept as differences: when somebody else changes the role
 * meanwhile, they apply to what it is then, and `meanwhile` says what that was.
 */
export function useRoleDraft(role: Role, catalogue: readonly PermissionRow[]) {
  const queries = useQueryClient();
  const send = useSend(roles.setPermissions);
  const { user } = useSession();
  const draft = `roles.${role.id}`;
  const kept = useKeptDraft<[string, boolean][]>(draft, user?.id);
  const [changes, setChanges] = useState<ReadonlyMap<string, boolean>>(new Map(kept));
  const [meanwhile, setMeanwhile] = useState<Meanwhile>();
  const stored = new Set(role.permissions);
  const has = (name: string) => changes.get(name) ?? stored.has(name);
  const held = new Set(catalogue.map(({ name }) => name).filter(has));
  const gives = without(held, stored);
  const takes = without(stored, held);
  const isDirty = gives.length + takes.length > 0;
  useDraftKeeper(draft, () => (isDirty ? [...changes] : undefined));

  const read = async () => (await queries.fetchQuery({ ...load(roles.matrix, {}), staleTime: 0 })).data.roles;
  const meet = async () => {
    const now = (await read()).find(({ id }) => id === role.id);
    if (!now) return;
    setMeanwhile({ given: without(now.permissions, stored), taken: without(stored, new Set(now.permissions)) });
    send.reset();
  };
  const save = async (): Promise<boolean> => {
    setMeanwhile(undefined);
    try {
      const body = { permissions: [...held] as Permission[], revision: role.revision };
      await send.mutateAsync({ params: { id: role.id }, body });
      setChanges(new Map());
      return true;
    } catch (problem) {
      if (isOutdated(problem, role.revision)) await meet();
      return false;
    }
  };
  return {
    held,
    gives,
    takes,
    meanwhile,
    error: send.error,
    isPending: send.isPending,
    isDirty,
    change: (more: ReadonlyMap<string, boolean>) => setChanges((old) => new Map([...old, ...more])),
    discard: () => {
      setChanges(new Map());
      setMeanwhile(undefined);
    },
    save,
  };
}

export type RoleDraft = ReturnType<typeof useRoleDraft>;
