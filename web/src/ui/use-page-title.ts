import { useEffect } from 'react';
import { useBrand } from './brand.ts';

/** Sets the document title. */
export function usePageTitle(title: string): void {
  const { name } = useBrand();
  useEffect(() => {
    document.title = `${title} · ${name ?? 'Tenure'}`;
  }, [title, name]);
}
