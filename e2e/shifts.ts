import type { Page } from 'playwright-core';

/** How far the document moved since it was loaded: the cumulative layout shift, and the elements that moved. */
export const layoutShift = (page: Page): Promise<{ sum: number; moved: string[] }> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        type Shift = PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
          sources: readonly { node: Node | null }[];
        };
        const shifts: Shift[] = [];
        const observer = new PerformanceObserver((list) => shifts.push(...(list.getEntries() as Shift[])));
        observer.observe({ type: 'layout-shift', buffered: true });
        // earlier entries are delivered in a separate task
        setTimeout(() => {
          observer.disconnect();
          const own = shifts.filter(({ hadRecentInput }) => !hadRecentInput);
          const nameOf = ({ node }: { node: Node | null }) =>
            node instanceof Element ? node.outerHTML.slice(0, 120) : (node?.textContent ?? '').slice(0, 60);
          resolve({
            sum: own.reduce((sum, { value }) => sum + value, 0),
            moved: own.flatMap(({ value, sources }) => sources.map((one) => `${value.toFixed(3)} ${nameOf(one)}`)),
          });
        }, 50);
      }),
  );
