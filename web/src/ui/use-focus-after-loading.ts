import { useEffect } from 'react';

/** The attribute of a button of Mantine with `loading`. */
const loading = 'data-loading';

/**
 * Mantine disables a button that is loading, and browsers take the focus from what is disabled: the next Tab would begin
 * at the top of the page, behind an open dialog. Gives the focus back with the answer, unless it is elsewhere by then.
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
