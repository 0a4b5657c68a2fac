/** A button whose label takes several lines where it is longer than the screen is wide: a name that others chose. */
export const wrapping = {
  root: { height: 'auto', minHeight: 'var(--button-height)', paddingBlock: 4 },
  label: { whiteSpace: 'normal', lineHeight: 1.3 },
} as const;
