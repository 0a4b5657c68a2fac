import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { forgetAll } from '../ui/deferred.ts';

// A machine that does several things at once may take a while to load a lazy screen.
configure({ asyncUtilTimeout: 8_000 });

beforeEach(() => {
  // What jsdom lacks and the kit asks for.
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: false,
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  Element.prototype.scrollIntoView = () => {};
  window.scrollTo = () => {};
  document.cookie = 'XSRF-TOKEN=gtoken';
});

afterEach(() => {
  cleanup();
  forgetAll();
  localStorage.clear();
  vi.unstubAllGlobals();
});
