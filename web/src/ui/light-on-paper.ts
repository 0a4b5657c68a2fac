const scheme = 'data-mantine-color-scheme';

/** Prints in the light colour scheme, also where the screen is dark: every colour of a page depends on the scheme. */
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
