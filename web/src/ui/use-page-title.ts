import { useEffect } from 'react';

/** Puts the title of the page into the window's title. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Tenure`;
  }, [title]);
}
