export type Tone = 'good' | 'warn' | 'info' | 'quiet' | 'danger';

/** What is said in a tone: its background and the colour of its text. */
export const colorsOf = (tone: Tone) => ({
  bg: `var(--${tone}-bg)`,
  c: tone === 'danger' ? 'var(--danger)' : `var(--${tone}-fg)`,
});
