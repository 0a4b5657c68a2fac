import { useCallback, useState } from 'react';

/** State that resets whenever the followed value changes. */
export function useResettableState<T>(followed: T): readonly [T, (own: T) => void] {
  const [state, setState] = useState({ own: followed, followed });
  const isOther = state.followed !== followed;
  if (isOther) setState({ own: followed, followed });
  const setOwn = useCallback((own: T) => setState({ own, followed }), [followed]);
  return [isOther ? followed : state.own, setOwn];
}
