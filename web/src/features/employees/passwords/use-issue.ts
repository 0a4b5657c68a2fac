import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { issuePart, type Delivery, type IssuedPassword, type Purpose, type Refusal } from './issue.ts';

export type Issuing = {
  purpose: Purpose;
  delivery: Delivery;
  total: number;
  left: readonly number[];
  given: readonly IssuedPassword[];
  refused: readonly Refusal[];
  error: ApiError | undefined;
  isRunning: boolean;
};

const asApiError = (error: unknown) =>
  error instanceof ApiError ? error : new ApiError(0, { message: error instanceof Error ? error.message : '' });

/**
 * Issues passwords in parts. Issued ones stay after a failure, and the rest can be retried. Over 40 lines: one
 * loop and what starts it.
 */
export function useIssue(purpose: Purpose) {
  const queries = useQueryClient();
  const [state, setState] = useState<Issuing>();
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const run = async (start: Issuing) => {
    let now: Issuing = { ...start, error: undefined, isRunning: true };
    setState(now);
    try {
      while (now.left.length > 0 && !isGone.current) {
        // oxlint-disable-next-line no-await-in-loop -- one request at a time, each shown as it finishes
        const { given, refused, left } = await issuePart(purpose, now.delivery, now.left);
        now = { ...now, left, given: [...now.given, ...given], refused: [...now.refused, ...refused] };
        setState(now);
      }
      now = { ...now, isRunning: false };
    } catch (error) {
      now = { ...now, isRunning: false, error: asApiError(error) };
    }
    setState(now);
    void queries.invalidateQueries({
      predicate: ({ queryKey: [first] }) => first !== 'session' && first !== 'passwords',
    });
  };
  return {
    state,
    start: (delivery: Delivery, ids: readonly number[], refused: readonly Refusal[]) =>
      void run({
        purpose,
        delivery,
        total: ids.length,
        left: ids,
        given: [],
        refused,
        error: undefined,
        isRunning: true,
      }),
    goOn: () => state && void run(state),
  };
}
