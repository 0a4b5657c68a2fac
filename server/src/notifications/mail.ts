import type { NotificationEvent } from '@tenure/contract';
import type { Mail } from '../mail/mailer.ts';
import { asTest, languageOf } from './texts/languages.ts';
import type { Language } from './texts/shape.ts';

/** The notifications of one kind in a mail. `url` is the page of one of them. */
export type Line = {
  event: NotificationEvent;
  count: number;
  url: string;
  is_test: boolean;
  /** The subject of one of them. */
  subject_id: number | null;
};

export type Letter = { name: string; address: string; locale: string; lines: readonly Line[] };

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (char) => escapes[char] ?? char);

/** Makes a name safe for a mail header. */
const oneLine = (name: string) => name.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');

function kindOf({ events, test }: Language, { event, is_test }: Line): string {
  const { kind } = events[event];
  return is_test ? asTest(test, kind) : kind;
}

/** A text and its link. */
type Item = { text: string; link: string };

function itemOf(language: Language, appUrl: string, line: Line): Item {
  const { event, count, url } = line;
  const kind = kindOf(language, line);
  if (count === 1) return { text: kind, link: `${appUrl}${url}` };
  return { text: `${kind} (${count})`, link: `${appUrl}/notifications?event=${event}` };
}

/** The subject and the paragraphs of a mail, each with its optional link. */
function contentOf(language: Language, { lines }: Letter, appUrl: string) {
  const { open, several } = language.mail;
  const items = lines.map((line) => itemOf(language, appUrl, line));
  const total = lines.reduce((sum, { count }) => sum + count, 0);
  const [first] = items;
  if (total === 1 && first)
    return { subject: first.text, intro: `${first.text}.`, items: [{ text: open, link: first.link }] };
  const subject = several.replace('{count}', String(total));
  return { subject, intro: `${subject}:`, items: [...items, { text: open, link: `${appUrl}/notifications` }] };
}

type Content = { subject: string; intro: string; items: readonly Item[]; reason: string };

function written({ name, address, locale }: Omit<Letter, 'lines'>, contentOf: (language: Language) => Content): Mail {
  const { name: lang, language } = languageOf(locale);
  const to = { name: oneLine(name), address };
  const hello = language.mail.greeting.replace('{name}', () => to.name);
  const { subject, intro, items, reason } = contentOf(language);
  const links = items.map(({ text, link }) => `<p><a href="${escaped(link)}">${escaped(text)}</a></p>`);
  return {
    to,
    subject,
    text: `${hello}\n\n${intro}\n\n${items.map(({ text, link }) => `${text}: ${link}`).join('\n')}\n\n${reason}\n`,
    html: `<!doctype html>
<html lang="${lang}">
<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body>
<p>${escaped(hello)}</p>
<p>${escaped(intro)}</p>
${links.join('\n')}
<p>${escaped(reason)}</p>
</body>
</html>
`,
  };
}

/**
 * A mail in the recipient's language with the kinds of events and their links, nothing else: mails are forwarded and
 * archived. Its length depends on the number of kinds only.
 */
export const mailOf = (letter: Letter, appUrl: string): Mail =>
  written(letter, (language) => ({ ...contentOf(language, letter, appUrl), reason: language.mail.reason }));

/** The mail with the link to choose a password. The token is a URL fragment, which browsers send to no server. */
export const linkMailOf = (letter: Omit<Letter, 'lines'>, appUrl: string, token: string): Mail =>
  written(letter, ({ passwordLink: { subject, intro, open, once } }) => ({
    subject,
    intro,
    items: [{ text: open, link: `${appUrl}/reset#${token}` }],
    reason: once,
  }));
