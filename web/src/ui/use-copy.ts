import { useEffect, useRef, useState } from 'react';

type State = 'idle' | 'copied' | 'failed';

/** How long a button shows that the text was copied, in milliseconds. */
const said = 2_000;

/** Copies through a temporary field beside the button, which works without a clipboard and in a dialog. */
function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // a dialog traps the focus
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

/** Browsers have a clipboard only on pages with TLS, and may deny access. */
async function copyText(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    if (clipboard !== undefined) {
      await clipboard.writeText(text);
      return true;
    }
  } catch {
    // the older way may work although the clipboard is denied
  }
  return copySelected(text);
}

/** Copies a text, with the state of the attempt. */
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
