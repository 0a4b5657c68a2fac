import classes from './StatusBadge.module.css';

export type Tone = 'good' | 'warn' | 'info' | 'quiet' | 'danger';

/** A dot, a word and a tint; the word alone says everything. */
export const StatusBadge = ({ tone, label }: { tone: Tone; label: string }) => (
  <span className={classes['badge']} data-tone={tone}>
    {label}
  </span>
);
