import { expect, test } from 'vitest';
import { helpPage } from './help-pages.ts';

test('a page becomes plain data', () => {
  expect(helpPage('# Title\n\nOne **bold** word\nin two lines.\n\n## Part\n\n- a\n- **b**\n')).toEqual({
    title: 'Title',
    blocks: [
      { kind: 'text', text: ['One ', { bold: 'bold' }, ' word in two lines.'] },
      { kind: 'heading', text: ['Part'] },
      { kind: 'list', items: [['a'], [{ bold: 'b' }]] },
    ],
  });
});

test.each([
  'No title',
  '# T\n\n<script>',
  '# T\n\n[a](b)',
  '# T\n\n> quote',
  '# T\n\n```\ncode\n```',
  '# T\n\n### deep',
])('%j is refused', (source) => {
  expect(() => helpPage(source)).toThrow(/help page/);
});
