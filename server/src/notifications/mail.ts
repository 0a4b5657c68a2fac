import type { NotificationEvent } from '@tenure/contract';
import type { Mail } from '../mail/mailer.ts';
import { languageOf } from './texts/languages.ts';

export type Letter = { name: string; address: string; locale: string; event: NotificationEvent; url: string };

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (char) => escapes[char] ?? char);

/** A name as a header of a mail can hold it. */
const oneLine = (name: string) => name.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');

/**
 * A mail in the language of its reader. It says the kind of what happened and where to read more, nothing else: mails
 * are read by others, kept for ever and forwarded.
 */
export function mailOf({ name, address, locale, event, url }: Letter, appUrl: string): Mail {
  const { name: lang, language } = languageOf(locale);
  const { greeting, open, reason } = language.mail;
  const { kind } = language.events[event];
  const to = { name: oneLine(name), address };
  const hello = greeting.replace('{name}', () => to.name);
  const link = `${appUrl}${url}`;
  return {
    to,
    subject: kind,
    text: `${hello}\n\n${kind}.\n\n${open}: ${link}\n\n${reason}\n`,
    html: `<!doctype html>
<html lang="${lang}">
<head><meta charset="utf-8"><title>${escaped(kind)}</title></head>
<body>
<p>${escaped(hello)}</p>
<p>${escaped(kind)}.</p>
<p><a href="${escaped(link)}">${escaped(open)}</a></p>
<p>${escaped(reason)}</p>
</body>
</html>
`,
  };
}
