import { cleanup, configure, getConfig, prettyDOM } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { clearDeferred } from '../ui/deferred.ts';

/** Is something looked for again and again until it is there? The types do not have the property. */
const isPolling = () => Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true;

configure({
  // A busy machine may take long to load a lazy screen.
  asyncUtilTimeout: 20_000,
  // The page is printed when the time is over, not after each look for what is not there yet.
  getElementError(message, container) {
    const error = new Error(isPolling() ? (message ?? '') : `${message ?? ''}\n\n${prettyDOM(container)}`);
    error.name = 'TestingLibraryElementError';
    return error;
  },
});

// Browser APIs that jsdom lacks and Mantine needs. They stay after a test, because a module may arrive after its test.
Object.assign(globalThis, {
  matchMedia: (query: string) => ({
    matches: false,
    media: query,
    addEventListener() {},
    removeEventListener() {},
  }),
  ResizeObserver: class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
});

beforeEach(() => {
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
