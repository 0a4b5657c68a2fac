import { useEffect } from 'react';

/** The attribute of a loading Mantine button. */
const loading = 'data-loading';

/**
 * Mantine disables a loading button, and browsers blur disabled elements: the next Tab would start at the top of the
 * page, behind an open dialog. This restores the focus after the answer, unless it has moved elsewhere.
 */
export function useFocusAfterLoading(): void {
  useEffect(() => {
    let focused: EventTarget | null = null;
    const remember = ({ target }: FocusEvent) => {
      focused = target;
    };
    const observer = new MutationObserver((changes) => {
      if (document.activeElement !== document.body) return;
      const button = changes.find(({ target }) => target === focused)?.target;
      if (button instanceof HTMLElement && !button.hasAttribute(loading)) button.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { subtree: true, attributes: true, attributeFilter: [loading] });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
}
