import { cleanup, configure, getConfig, prettyDOM } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { clearDeferred } from '../ui/deferred.ts';

/** Is a query being retried until it finds something? The types lack this property. */
const isPolling = () => Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true;

configure({
  // A busy machine may take long to load a lazy screen.
  asyncUtilTimeout: 20_000,
  // Prints the page after the timeout, not after each retry.
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
