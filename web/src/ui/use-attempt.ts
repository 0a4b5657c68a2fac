import { useState } from 'react';
import type { ApiError } from '../api/api-error.ts';

/** The state of a request that may be refused: pending, and the error of the last attempt. */
export function useAttempt() {
  const [error, setError] = useState<ApiError>();
  const [isPending, setPending] = useState(false);
  const attempt = async <T>(send: () => Promise<T>): Promise<T> => {
    setPending(true);
    setError(undefined);
    try {
      return await send();
    } finally {
      setPending(false);
    }
  };
  return { error, setError, isPending, attempt };
}
