import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import { expect, test } from 'vitest';
import { usePercent, useResult, useTypedPercent } from './use-percent.ts';

const inLanguage = (locale: string) => ({
  wrapper: ({ children }: { children: ReactNode }) => (
    <IntlProvider locale={locale} messages={{}}>
      {children}
    </IntlProvider>
  ),
});

test.each([
  ['en-GB', '12.5', '12.5%', '12.50%'],
  ['de-DE', '12,5', '12,5\u00a0%', '12,50\u00a0%'],
])('percentages are written as the language does: %s', (locale, typed, shown, two) => {
  const { result: ofTyped } = renderHook(useTypedPercent, inLanguage(locale));
  expect(['', 'much', typed].map(ofTyped.current)).toEqual(['', 'much', shown]);
  const { result } = renderHook(() => usePercent(2, 2), inLanguage(locale));
  expect([result.current(12.5), result.current(null)]).toEqual([two, '–']);
});

test('the result of a person is never rounded into another band', () => {
  const { result } = renderHook(useResult, inLanguage('en-GB'));
  expect([59.96, 86.7, 80].map(result.current)).toEqual(['59.96%', '86.7%', '80%']);
});
