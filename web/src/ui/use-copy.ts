import { useEffect, useRef, useState } from 'react';

type State = 'idle' | 'copied' | 'failed';

/** How long a button says that it copied. */
const said = 2_000;

/** Copies through a field in the place of the button: what browsers allow without a clipboard, and beside a dialog. */
function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // a dialog keeps the focus inside
  (before?.parentElement ?? document.body).append(field);
  field.focus({ preventScroll: true });
  field.select();
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- there is no other way without TLS
    return document.execCommand('copy');
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}

/** Browsers have a clipboard only on pages with TLS, and may refuse it. */
async function copyText(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    if (clipboard !== undefined) {
      await clipboard.writeText(text);
      return true;
    }
  } catch {
    // the older way may work where the clipboard is refused
  }
  return copySelected(text);
}

/** Copies a text, and what became of it. */
export function useCopy(text: string): [state: State, copy: () => void] {
  const [state, setState] = useState<State>('idle');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    const isCopied = await copyText(text);
    setState(isCopied ? 'copied' : 'failed');
    clearTimeout(timer.current);
    if (isCopied) timer.current = setTimeout(() => setState('idle'), said);
  };
  return [state, () => void copy()];
}
