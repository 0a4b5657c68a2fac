import { expect, test, vi } from 'vitest';
import { lightOnPaper } from './light-on-paper.ts';

const scheme = (root: HTMLElement) => root.getAttribute('data-mantine-color-scheme');

test('a page is light while it is printed, and as before afterwards', () => {
  const change: ((event: { matches: boolean }) => void)[] = [];
  vi.stubGlobal('matchMedia', () => ({
    addEventListener: (_name: string, listen: (event: { matches: boolean }) => void) => change.push(listen),
  }));
  for (const before of ['dark', 'light']) {
    const root = document.createElement('div');
    root.setAttribute('data-mantine-color-scheme', before);
    lightOnPaper(root);
    // browsers fire one of the events or both
    for (const event of ['beforeprint', 'afterprint', 'afterprint', 'beforeprint']) {
      window.dispatchEvent(new Event(event));
      expect(scheme(root)).toBe(event === 'beforeprint' ? 'light' : before);
    }
    change.at(-1)?.({ matches: true });
    expect(scheme(root)).toBe('light');
    change.at(-1)?.({ matches: false });
    window.dispatchEvent(new Event('afterprint'));
    expect(scheme(root)).toBe(before);
  }
});
