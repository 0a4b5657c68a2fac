import type { HomePart } from '@tenure/contract';
import type { ReactNode } from 'react';

/** A part of the home page. */
export type Part = {
  name: HomePart | 'filters';
  /** The user can have this part, though it may be empty now. */
  isOffered: boolean;
  /** Its place in a wide window: in the left column, in the right one, or across both. */
  place: 'main' | 'side' | 'whole';
  /** Its data is loaded or has failed, so its height is final. */
  isReady: boolean;
  /** Null or false if it has nothing to show. */
  content: ReactNode;
};

type Row = { key: string; main: Part[]; side: Part[] };

/** Adjacent column parts share a row if both columns have content; every other part has a row of its own. */
function rowsOf(parts: readonly Part[], isWide: boolean): Row[] {
  const runs: Part[][] = [];
  for (const part of parts) {
    const last = runs.at(-1);
    if (isWide && last && part.place !== 'whole' && last[0]?.place !== 'whole') last.push(part);
    else runs.push([part]);
  }
  return runs.flatMap((run) => {
    const main = run.filter(({ place }) => place === 'main');
    const side = run.filter(({ place }) => place === 'side');
    const key = run[0]?.name ?? '';
    return main.length > 0 && side.length > 0 ? [{ key, main, side }] : [{ key, main: run, side: [] }];
  });
}

/**
 * The rows that may be shown: those above the first one that is still loading. Each row appears complete and below the
 * earlier ones, so nothing moves once it is shown.
 */
export function revealedRows(parts: readonly Part[], isWide: boolean): Row[] {
  const rows = rowsOf(
    parts.filter(({ isReady, content }) => !isReady || (content !== null && content !== false)),
    isWide,
  );
  const pending = rows.findIndex(({ main, side }) => [...main, ...side].some(({ isReady }) => !isReady));
  return pending === -1 ? rows : rows.slice(0, pending);
}
