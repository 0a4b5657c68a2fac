import { Box } from '@mantine/core';
import classes from './StatusBadge.module.css';
import { colorsOf, type Tone } from './tones.ts';

export type { Tone } from './tones.ts';

/** A dot, a label and a tint; the label alone is sufficient. */
export const StatusBadge = ({ tone, label }: { tone: Tone; label: string }) => (
  <Box component="span" className={classes['badge']} data-tone={tone} {...colorsOf(tone)}>
    {label}
  </Box>
);
