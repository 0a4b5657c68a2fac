import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { text } from '@tenure/contract';
import type { Actor } from '../../access/actor.ts';
import { findFeed, isFeedToken, consumeRead } from '../../access/calendar-feeds.ts';
import type { LiveFeed } from '../../access/calendar-feeds.ts';
import { networkOf } from '../../access/known-origins.ts';
import { rightsOf } from '../../access/rights.ts';
import { sha256Hex } from '../../crypto/crypto.ts';
import type { Deps } from '../../http/context.ts';
import { notFound, tooMany } from '../../http/errors.ts';
import { dataHeaders } from '../../http/headers.ts';
import { lookedUpPerMinute, rateLimit } from '../../http/limits.ts';
import { languageOf } from '../../languages/accept.ts';
import { render } from '../../languages/languages.ts';
import { version } from '../../releases/release.ts';
import { calendarText } from './document.ts';
import type { Calendar } from './document.ts';
import { entriesOf } from './entries.ts';
import { feedRoute } from './paths.ts';

/** The endpoint of calendar applications, outside the prefix of the API: no cookies, and a secret in the address. */

/** Reads of one address, by all processes together. */
export const feedReadsPerHour = 60;

const headers = {
  ...dataHeaders,
  'cache-control': 'private, no-cache',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

/** Finds the calendar of an address. Throws 404 for an inactive or unknown address, and 429 beyond the limits. */
function finder({ db }: Deps) {
  const lookedUp = rateLimit(lookedUpPerMinute);
  return async ({ params, ip }: FastifyRequest): Promise<LiveFeed> => {
    const { file } = params as { file: string };
    const token = file.endsWith('.ics') ? file.slice(0, -'.ics'.length) : '';
    if (!isFeedToken(token)) throw notFound();
    const network = networkOf(ip);
    const ahead = lookedUp.peek(network);
    if (ahead.remaining < 0) throw tooMany(ahead.seconds, lookedUp.limit);
    const feed = await findFeed(db, token);
    if (!feed) {
      lookedUp.consume(network);
      throw notFound();
    }
    const { remaining, seconds } = await consumeRead(db, feed.feed_id, feedReadsPerHour);
    if (remaining < 0) throw tooMany(seconds, feedReadsPerHour);
    return feed;
  };
}

/** The person, with their current rights. */
async function actorOf({ db, rights }: Deps, feed: LiveFeed): Promise<Actor> {
  const { user_id, employee_id, name, email, locale, locale_chosen, last_login_at, picture_key, version } = feed;
  const account = { user_id, employee_id, name, email, locale, locale_chosen, last_login_at, picture_key };
  return { ...(await rightsOf(rights, db, user_id, version)), ...account, session_id: 0, must_change_password: false };
}

async function calendarOf(deps: Deps, feed: LiveFeed, { id, ip }: FastifyRequest): Promise<Calendar> {
  const language = languageOf(feed.locale);
  const request = { id, ip, user_agent: '', url: feedRoute, language };
  const entries = await entriesOf({ db: deps.db, actor: await actorOf(deps, feed), request }, feed);
  const name = render(language, text('calendar.name'));
  return { id: feed.feed_id, name, app: deps.config.APP_URL, entries };
}

/** Identifies the content without rendering it; includes the version, because releases may render it differently. */
const etagOf = (calendar: Calendar) => `W/"${sha256Hex(JSON.stringify([version, calendar])).slice(0, 32)}"`;

/** Tags that a client sends in `If-None-Match`; weak, because a proxy may compress the response. */
const isKnown = (known: string | undefined, etag: string) =>
  known !== undefined && known.split(',').some((one) => one.trim() === etag || one.trim() === '*');

/** Binds `/calendar/<token>.ics`. */
export function bindCalendar(app: FastifyInstance, deps: Deps): void {
  const find = finder(deps);
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(headers);
    const feed = await find(request);
    const calendar = await calendarOf(deps, feed, request);
    const etag = etagOf(calendar);
    reply.header('etag', etag);
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply
      .headers({
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': 'inline; filename="tenure.ics"',
      })
      .send(calendarText(calendar));
  };
  app.route({ method: ['GET', 'HEAD'], url: feedRoute, handler: answer });
}
