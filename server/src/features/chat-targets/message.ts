import { text } from '@tenure/contract';
import type { ChatTarget, Text } from '@tenure/contract';
import type { LanguageId } from '../../languages/catalogue.ts';
import { render } from '../../languages/languages.ts';
import type { Counted } from './counts.ts';

/** A line of a post, and the screen that shows the same. */
type Line = { text: string; url: string };

const slack = (title: string, lines: readonly Line[]) => ({
  text: [`*${title}*`, ...lines.map((line) => `• <${line.url}|${line.text}>`)].join('\n'),
});

const block = (words: string, more: object = {}) => ({ type: 'TextBlock', text: words, wrap: true, ...more });

const teams = (title: string, lines: readonly Line[]) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [block(title, { weight: 'Bolder' }), ...lines.map((line) => block(`- [${line.text}](${line.url})`))],
      },
    },
  ],
});

const written = (kind: ChatTarget['kind'], title: string, lines: readonly Line[]) =>
  JSON.stringify(kind === 'teams' ? teams(title, lines) : slack(title, lines));

type Form = { kind: ChatTarget['kind']; language: LanguageId; app: string };

/** The body of a post: counts and links. */
export function messageOf({ kind, language, app }: Form, counted: readonly Counted[]): string {
  const lines = counted.flatMap(({ count, due, overdue, path }) => {
    const say = (message: Text) => ({ text: render(language, message), url: app + path });
    return [
      ...(due > 0 ? [say(text(`chat.due.${count}`, { count: due }))] : []),
      ...(overdue > 0 ? [say(text(`chat.overdue.${count}`, { count: overdue }))] : []),
    ];
  });
  return written(kind, render(language, text('chat.title')), lines);
}

/** The body of a test message, which says that the channel is set up. */
export const testMessage = ({ kind, language, app }: Form): string =>
  written(kind, render(language, text('chat.title')), [{ text: render(language, text('chat.test')), url: `${app}/` }]);
