import { expect, test } from 'vitest';
import { linked } from './linked.ts';

const urls = (text: string) => linked(text).flatMap(({ url }) => url ?? []);

test('web addresses become links, without the punctuation around them', () => {
  expect(linked('See https://acme.example/a?b=1. Or (http://acme.example/x)!')).toEqual([
    { text: 'See ' },
    { text: 'https://acme.example/a?b=1', url: 'https://acme.example/a?b=1' },
    { text: '. Or (' },
    { text: 'http://acme.example/x', url: 'http://acme.example/x' },
    { text: ')!' },
  ]);
  expect(urls('https://acme.example/wiki/A_(b)')).toEqual(['https://acme.example/wiki/A_(b)']);
});

test.each([
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'mailto:a@b.example',
  'www.acme.example',
  'https://',
  '<img src=x onerror=alert(1)>',
])('%s stays text', (text) => {
  expect(linked(text)).toEqual([{ text }]);
});

test('the pieces are the whole text', () => {
  const text = 'a https://x.example\nb <b>https://y.example/"onclick=</b> c';
  expect(
    linked(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text);
  expect(urls(text)).toEqual(['https://x.example', 'https://y.example/']);
});
