/** A button whose label wraps if it does not fit the screen, since users choose the name in it. */
export const wrapping = {
  root: { height: 'auto', minHeight: 'var(--button-height)', paddingBlock: 4 },
  label: { whiteSpace: 'normal', lineHeight: 1.3 },
} as const;
