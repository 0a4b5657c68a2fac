import { text } from '@tenure/contract';
import type { AccountLink, NotificationEvent, Text } from '@tenure/contract';
import type { Minted } from '../access/account-links.ts';
import { languageOf } from '../languages/accept.ts';
import { render } from '../languages/languages.ts';
import type { Mail } from '../mail/mailer.ts';
import { asTest, kindOf } from './words.ts';

/** The notifications of one kind in a mail. `url` is the page of one of them. */
export type Line = {
  event: NotificationEvent;
  count: number;
  url: string;
  is_test: boolean;
  /** The subject of one of them. */
  subject_id: number | null;
};

/** The brand in the header and footer of a mail. */
export type MailBrand = { name: string | null; logo: Buffer | null };

export type Letter = {
  name: string;
  address: string;
  locale: string;
  lines: readonly Line[];
  /** Tenure's own if absent. */
  brand?: MailBrand;
};

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (words: string) => words.replaceAll(/[&<>"]/g, (char) => escapes[char] ?? char);

/** Makes a name safe for a mail header. */
const oneLine = (name: string) => name.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');

/** Renders a text in the mail's language. */
type Say = (text: Text) => string;

/** A sentence and its link. */
type Item = { words: string; link: string };

function itemOf(say: Say, appUrl: string, { event, count, url, is_test }: Line): Item {
  const kind = say(is_test ? asTest(kindOf(event)) : kindOf(event));
  if (count === 1) return { words: kind, link: `${appUrl}${url}` };
  return { words: `${kind} (${count})`, link: `${appUrl}/notifications?event=${event}` };
}

/** The subject and the paragraphs of a mail, each with its optional link. */
function contentOf(say: Say, { lines }: Letter, appUrl: string) {
  const open = say(text('mails.open'));
  const items = lines.map((line) => itemOf(say, appUrl, line));
  const total = lines.reduce((sum, { count }) => sum + count, 0);
  const [first] = items;
  if (total === 1 && first)
    return { subject: first.words, intro: `${first.words}.`, items: [{ words: open, link: first.link }] };
  const subject = say(text('mails.several', { count: total }));
  return { subject, intro: `${subject}:`, items: [...items, { words: open, link: `${appUrl}/notifications` }] };
}

type Content = { subject: string; intro: string; items: readonly Item[]; reason: string };

const logoId = 'logo';

/** Inline styles, because mail programs ignore style sheets: readable on a phone, in light and dark mode. */
const look = 'margin:0 auto;padding:16px;max-width:36em;font:16px/1.5 system-ui,-apple-system,Segoe UI,sans-serif';

function written({ name, address, locale, brand }: Omit<Letter, 'lines'>, contentOf: (say: Say) => Content): Mail {
  const language = languageOf(locale);
  const say: Say = (one) => render(language, one);
  const to = { name: oneLine(name), address };
  const hello = say(text('mails.greeting', { name: to.name }));
  const { subject, intro, items, reason } = contentOf(say);
  const links = items.map(({ words, link }) => `<p><a href="${escaped(link)}">${escaped(words)}</a></p>`);
  const from = brand?.name ? oneLine(brand.name) : null;
  const logo = brand?.logo ? `<p><img src="cid:${logoId}" height="40" alt="${escaped(from ?? '')}"></p>\n` : '';
  return {
    to,
    subject,
    ...(from !== null && { sender: from }),
    ...(brand?.logo && { pictures: [{ cid: logoId, filename: 'logo.png', content: brand.logo }] }),
    text: `${hello}\n\n${intro}\n\n${items.map(({ words, link }) => `${words}: ${link}`).join('\n')}\n\n${reason}\n${from === null ? '' : `${from}\n`}`,
    html: `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escaped(subject)}</title>
</head>
<body style="${look}">
${logo}<p>${escaped(hello)}</p>
<p>${escaped(intro)}</p>
${links.join('\n')}
<p>${escaped(reason)}</p>${from === null ? '' : `\n<p>${escaped(from)}</p>`}
</body>
</html>
`,
  };
}

/**
 * A mail in the recipient's language with the kinds of events and their links, and nothing else, because mails are
 * forwarded and archived. Its length depends only on the number of kinds.
 */
export const mailOf = (letter: Letter, appUrl: string): Mail =>
  written(letter, (say) => ({ ...contentOf(say, letter, appUrl), reason: say(text('mails.reason')) }));

/** The page that a link opens, and the texts of its mail. */
const linkMails = {
  password_reset: ['reset', 'link'],
  invitation: ['welcome', 'invitation'],
  requested_reset: ['reset', 'requested'],
  address_change: ['welcome', 'address_change'],
  address_stop: ['welcome', 'address_stop'],
} as const satisfies Record<AccountLink['purpose'], readonly [page: string, texts: string]>;

/** The mail with a link. The token is a URL fragment, which browsers never send to a server. */
export const linkMailOf = (
  letter: Omit<Letter, 'lines'>,
  appUrl: string,
  { token, purpose, days }: Pick<Minted, 'token' | 'purpose' | 'days'>,
): Mail => {
  const [page, texts] = linkMails[purpose];
  return written(letter, (say) => ({
    subject: say(text(`mails.${texts}.subject`)),
    intro: say(text(`mails.${texts}.intro`)),
    items: [{ words: say(text(`mails.${texts}.open`)), link: `${appUrl}/${page}#${token}` }],
    reason: say(texts === 'invitation' ? text('mails.invitation.once', { days }) : text(`mails.${texts}.once`)),
  }));
};

/** The invitation to sign in through a provider: it leads to the sign-in page and opens nothing. */
export const providerMailOf = (letter: Omit<Letter, 'lines'>, appUrl: string, provider: string): Mail =>
  written(letter, (say) => ({
    subject: oneLine(say(text('mails.provider_invitation.subject', { provider }))),
    intro: say(text('mails.provider_invitation.intro', { provider })),
    items: [{ words: say(text('mails.provider_invitation.open')), link: `${appUrl}/login` }],
    reason: say(text('mails.provider_invitation.reason')),
  }));
