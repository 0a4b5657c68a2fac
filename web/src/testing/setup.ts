import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { clearDeferred } from '../ui/deferred.ts';

// A busy machine may take long to load a lazy screen.
configure({ asyncUtilTimeout: 8_000 });

beforeEach(() => {
  // Browser APIs that jsdom lacks and Mantine needs.
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
  clearDeferred();
  localStorage.clear();
  vi.unstubAllGlobals();
});
