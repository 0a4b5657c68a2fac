/** The colours of warnings and errors: Mantine's are too faint in the dark scheme. */
export const tints = {
  warning: { root: { background: 'var(--warn-bg)' }, message: { color: 'var(--warn-fg)' } },
  danger: { root: { background: 'var(--danger-bg)' }, message: { color: 'var(--danger)' } },
} as const;
