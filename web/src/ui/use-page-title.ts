import { useEffect } from 'react';

/** Sets the document title. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Tenure`;
  }, [title]);
}
