import { useEffect, useRef } from 'react';

/** A ref for a form that takes the place of its button; the first field gets the focus. */
export function useFirstField() {
  const formRef = useRef<HTMLFormElement>(null);
  useEffect(() => {
    formRef.current?.querySelector<HTMLElement>('input:not([type=hidden]), select')?.focus();
  }, []);
  return formRef;
}
