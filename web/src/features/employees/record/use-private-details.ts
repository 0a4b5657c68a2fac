import { employees, type Employee } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { failedWithoutData, load } from '../../../api/query.ts';
import { fields, isPrivate } from '../form/fields.ts';
import type { Section } from '../search.ts';

const holdsPrivate = (section: Section | undefined): boolean =>
  fields.some((field) => field.section === section && isPrivate(field));

export type PrivateDetails = ReturnType<typeof usePrivateDetails>;

/**
 * Another person's private details. They are read on request only, since each read is recorded in the audit log. They
 * are open while a section with private fields is edited, and are removed from the cache when closed.
 */
export function usePrivateDetails({ id, private_details }: Employee, edit: Section | undefined) {
  const [wanted, setOpen] = useState(() => holdsPrivate(edit));
  const isOffered = private_details === 'on_request';
  const isOpen = wanted && isOffered;
  const query = useQuery({
    ...load(employees.get, { params: { id }, query: { reveal: 'private' } }),
    enabled: isOpen,
    gcTime: 0,
    retry: false,
    // A refetch would be recorded as another view.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const record = isOpen && !failedWithoutData(query) ? query.data?.data : undefined;
  return {
    isOffered,
    record,
    error: isOpen ? query.error : null,
    isLoading: isOpen && query.isFetching && record === undefined,
    show: () => (isOpen ? void query.refetch() : setOpen(true)),
    hide: () => setOpen(false),
    /** Private details cannot be closed while one of their sections is edited. */
    mayHide: !holdsPrivate(edit),
  };
}
