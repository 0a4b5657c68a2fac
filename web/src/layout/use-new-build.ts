import { useEffect, useState } from 'react';

/** The least time between two checks for a newer build, in milliseconds. */
const atMostEvery = 300_000;

/** The entry script of a page; its name contains a content hash, so it identifies the build. */
export const buildOf = (html: string): string | undefined =>
  /<script[^>]*type="module"[^>]*src="([^"]+)"/.exec(html)?.[1];

/** The build that the service offers; undefined if the service cannot be reached. */
export async function servedBuild(): Promise<string | undefined> {
  try {
    const response = await fetch('/', { headers: { Accept: 'text/html' }, cache: 'no-store' });
    return response.ok ? buildOf(await response.text()) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the service offers a newer build; checked when the user returns to the page. */
export function useNewBuild(): { isNew: boolean; later: () => void } {
  const [served, setServed] = useState<string>();
  const [dismissed, setDismissed] = useState<string>();
  useEffect(() => {
    let asked = Date.now();
    const look = () => {
      if (document.visibilityState === 'hidden' || Date.now() - asked < atMostEvery) return;
      asked = Date.now();
      void servedBuild().then((build) => build && setServed(build));
    };
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  const own = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  const isNew = served !== undefined && own !== null && own !== undefined && served !== own && served !== dismissed;
  return { isNew, later: () => setDismissed(served) };
}
