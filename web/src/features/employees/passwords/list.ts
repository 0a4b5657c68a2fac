/** A scrollable list inside a dialog; inline, so that the common style sheet stays small. */
export const list = {
  maxHeight: '44vh',
  padding: 0,
  position: 'relative',
  overflow: 'auto',
  border: '1px solid var(--line)',
  borderRadius: 10,
  listStyle: 'none',
} as const;
