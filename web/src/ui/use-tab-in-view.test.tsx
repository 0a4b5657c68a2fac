import { render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Pills } from './Pills.tsx';
import { useTabInView } from './use-tab-in-view.ts';

afterEach(() => void vi.restoreAllMocks());

/** Three tabs of 100 pixels each in a row of 250. */
function Row({ chosen }: { chosen: string }) {
  return (
    <div role="tablist" ref={useTabInView(chosen)}>
      {['0', '1', '2'].map((name) => (
        <button key={name} role="tab" type="button" aria-selected={name === chosen} aria-label={name} />
      ))}
    </div>
  );
}

test('the chosen tab is scrolled into the row, and back', () => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function rect(this: Element) {
    if (this.role === 'tablist') return new DOMRect(0, 0, 250, 30);
    return new DOMRect(Number(this.ariaLabel) * 100 - (this.parentElement?.scrollLeft ?? 0), 0, 100, 30);
  });
  const { getByRole, rerender } = render(<Row chosen="2" />);
  expect(getByRole('tablist').scrollLeft).toBe(50);
  rerender(<Row chosen="1" />);
  expect(getByRole('tablist').scrollLeft).toBe(50);
  rerender(<Row chosen="0" />);
  expect(getByRole('tablist').scrollLeft).toBe(0);
});

test('the chosen one of a row of pills is scrolled into view', () => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function rect(this: Element) {
    if (this.tagName === 'FIELDSET') return new DOMRect(0, 0, 250, 30);
    return new DOMRect(Number(this.textContent) * 100 - (this.parentElement?.scrollLeft ?? 0), 0, 100, 30);
  });
  const options = ['0', '1', '2'].map((value) => ({ value, label: value }));
  const { getByRole } = render(<Pills label="Kind" options={options} value="2" onChange={() => {}} />);
  expect(getByRole('group').scrollLeft).toBe(50);
});
