export type Tone = 'good' | 'warn' | 'info' | 'quiet' | 'danger';

/** The background and text colours of a tone. */
export const colorsOf = (tone: Tone) => ({
  bg: `var(--${tone}-bg)`,
  c: tone === 'danger' ? 'var(--danger)' : `var(--${tone}-fg)`,
});
