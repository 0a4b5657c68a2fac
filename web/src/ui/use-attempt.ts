import { useState } from 'react';
import type { ApiError } from '../api/api-error.ts';

/** Something that is sent and may be refused: whether it is on its way, and what was said against the last one. */
export function useAttempt() {
  const [error, setError] = useState<ApiError>();
  const [isPending, setPending] = useState(false);
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    setPending(true);
    setError(undefined);
    try {
      return await work();
    } finally {
      setPending(false);
    }
  };
  return { error, setError, isPending, attempt };
}
