import { isToldIn } from '../languages/answer.ts';
import { german } from '../languages/german.ts';

/** Messages of the service in an answer, as `translate` finds them. */
function told(value: unknown, isTold = false): string[] {
  if (typeof value === 'string') return isTold ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => told(one, isTold));
  return Object.entries(value).flatMap(([key, inner]) => told(inner, isToldIn(value, key, isTold)));
}

/** Hears every message a test file receives, and says at its end which of them have no German. */
export function translationCheck() {
  const missing = new Set<string>();
  return {
    hear: (answer: { headers: Record<string, unknown>; body: unknown }) => {
      if (answer.headers['content-language'] !== 'en') return;
      for (const text of told(answer.body)) if (text !== '' && german(text) === undefined) missing.add(text);
    },
    end: () => {
      if (missing.size > 0)
        throw new Error(`server/src/languages/de lacks:\n${[...missing].map((text) => `  ${text}`).join('\n')}`);
    },
  };
}
