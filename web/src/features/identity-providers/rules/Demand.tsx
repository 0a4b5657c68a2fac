import { useDemandWords } from '../../../ui/second-factor/use-demand-words.ts';

/** The first day on which a second factor is required, if any. */
export function Demand({ from }: { from: string | null }) {
  const wordsOf = useDemandWords();
  return <span className={from === null ? 'muted' : undefined}>{wordsOf(from)}</span>;
}
