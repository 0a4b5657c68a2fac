import { employees, type Employee } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isLost, load } from '../../../api/query.ts';
import { fields, isPrivate } from '../form/fields.ts';
import type { Section } from '../search.ts';

const holdsPrivate = (section: Section | undefined): boolean =>
  fields.some((field) => field.section === section && isPrivate(field));

export type PrivateDetails = ReturnType<typeof usePrivateDetails>;

/**
 * Private details of somebody, asked for on purpose only: that they were opened is recorded. They are open from the
 * start where an edit of them goes on, and nothing of them is kept once they are closed.
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
    // Coming back to the window is no wish to look.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const record = isOpen && !isLost(query) ? query.data?.data : undefined;
  return {
    isOffered,
    record,
    error: isOpen ? query.error : null,
    isLoading: isOpen && query.isFetching && record === undefined,
    show: () => (isOpen ? void query.refetch() : setOpen(true)),
    hide: () => setOpen(false),
    /** Nothing that is being entered goes with them. */
    mayHide: !holdsPrivate(edit),
  };
}
