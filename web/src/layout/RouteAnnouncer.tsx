import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

/** Calls back once the page has an h1; returns the function that stops waiting. */
function whenHeadingShows(callback: (heading: HTMLElement) => void): () => void {
  const observer = new MutationObserver(() => look());
  const look = () => {
    const heading = document.querySelector<HTMLElement>('main h1');
    if (!heading) return;
    observer.disconnect();
    callback(heading);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  look();
  return () => observer.disconnect();
}

/** Announces the title after navigation and focuses the h1, unless the page set the focus itself. */
export function RouteAnnouncer() {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const known = useRef(path);
  const [message, setMessage] = useState('');
  useEffect(() => {
    if (path === undefined || path === known.current) return undefined;
    const first = known.current === undefined;
    known.current = path;
    if (first) return undefined;
    return whenHeadingShows((heading) => {
      setMessage(heading.textContent ?? '');
      const active = document.activeElement;
      if (active && active !== document.body && active.closest('main')) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    });
  }, [path]);
  return <output className="visually-hidden">{message}</output>;
}
