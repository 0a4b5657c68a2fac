/** A list that scrolls within its dialog; on the element, not in the one sheet that every screen loads. */
export const list = {
  maxHeight: '44vh',
  padding: 0,
  position: 'relative',
  overflow: 'auto',
  border: '1px solid var(--line)',
  borderRadius: 10,
  listStyle: 'none',
} as const;
