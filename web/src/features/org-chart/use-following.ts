import { useCallback, useState } from 'react';

/** A state of one's own that begins anew whenever what it follows changes. */
export function useFollowing<T>(followed: T): readonly [T, (own: T) => void] {
  const [state, setState] = useState({ own: followed, followed });
  const isOther = state.followed !== followed;
  if (isOther) setState({ own: followed, followed });
  const setOwn = useCallback((own: T) => setState({ own, followed }), [followed]);
  return [isOther ? followed : state.own, setOwn];
}
