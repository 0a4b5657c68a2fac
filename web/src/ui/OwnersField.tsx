import { MultiSelect } from '@mantine/core';
import { access, permissionCatalogue, type ActorRef, type Permission } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { load } from '../api/query.ts';

type Props = {
  label: string;
  description: string;
  /** Users with this permission are offered. */
  permission: Permission;
  /** The current owners, who are always offered. */
  known: readonly ActorRef[];
  value: string[];
  onChange: (ids: string[]) => void;
  error?: ReactNode;
  required?: boolean;
};

/** One or two owners of a record, who are notified about it. */
export function OwnersField({ permission, known, ...field }: Props) {
  const managing = permissionCatalogue.find(({ name }) => name === permission)?.id ?? 0;
  const found = useQuery(load(access.holders, { params: { id: managing }, query: { per_page: 100 } }));
  const offered = [...known, ...(found.data?.data ?? [])];
  const byId = new Map(offered.map(({ user_id: id, name }) => [String(id), name]));
  return (
    <MultiSelect {...field} data={[...byId].map(([value, label]) => ({ value, label }))} maxValues={2} searchable />
  );
}
