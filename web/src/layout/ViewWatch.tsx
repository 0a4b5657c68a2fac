import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followView, onViewElsewhere, rereadSession } from '../api/role-view.ts';
import { useSession } from '../api/session.tsx';

/** Follows a view as a role that begins or ends anywhere, since its data must not stay on the screen. */
export function ViewWatch() {
  const queries = useQueryClient();
  const { viewing } = useSession();
  useEffect(() => onViewElsewhere(() => void rereadSession(queries)), [queries]);
  useEffect(() => followView(queries, viewing), [queries, viewing]);
  return null;
}
