import { useDemandWords } from '../../../ui/second-factor/use-demand-words.ts';

/** From which day on a second factor is required, if it is. */
export function Demand({ from }: { from: string | null }) {
  const wordsOf = useDemandWords();
  return <span className={from === null ? 'muted' : undefined}>{wordsOf(from)}</span>;
}
