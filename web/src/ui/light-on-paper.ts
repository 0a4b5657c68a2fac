const scheme = 'data-mantine-color-scheme';

/** Prints in the light colour scheme even if the screen is dark, since every colour depends on the scheme. */
export function lightOnPaper(root: HTMLElement = document.documentElement): void {
  let onScreen: string | null = null;
  const begin = () => {
    onScreen ??= root.getAttribute(scheme);
    root.setAttribute(scheme, 'light');
  };
  const end = () => {
    if (onScreen !== null) root.setAttribute(scheme, onScreen);
    onScreen = null;
  };
  addEventListener('beforeprint', begin);
  addEventListener('afterprint', end);
  matchMedia('print').addEventListener('change', ({ matches }) => (matches ? begin() : end()));
}
