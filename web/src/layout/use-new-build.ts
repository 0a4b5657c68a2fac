import { useEffect, useState } from 'react';

/** At most so often a page asks which build is served, in milliseconds. */
const atMostEvery = 300_000;

/** The script a page starts with; its name has a hash of the content, so it names the build. */
export const buildIn = (html: string): string | undefined =>
  /<script[^>]*type="module"[^>]*src="([^"]+)"/.exec(html)?.[1];

async function servedBuild(): Promise<string | undefined> {
  try {
    const response = await fetch('/', { headers: { Accept: 'text/html' }, cache: 'no-store' });
    return response.ok ? buildIn(await response.text()) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether another build is served than the one that runs here; looked at when somebody comes back to the page. */
export function useNewBuild(): { isNew: boolean; later: () => void } {
  const [served, setServed] = useState<string>();
  const [put, setPut] = useState<string>();
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
  const isNew = served !== undefined && own !== null && own !== undefined && served !== own && served !== put;
  return { isNew, later: () => setPut(served) };
}
