import type { StreamEvents } from '@tenure/contract';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { findLiveSessions } from '../access/sessions.ts';
import type { Config } from '../config.ts';
import type { DB } from '../db/schema.ts';
import type { EventStream } from '../http/event-stream.ts';
import { languageOf } from '../languages/accept.ts';
import { listenTo } from './listen.ts';
import type { Listener } from './listen.ts';
import { maxUpdates, updatesOf } from './updates.ts';
import type { Updates } from './updates.ts';

/** The account and session of an open page. */
type Owner = { user_id: number; session_id: number; locale: string };

type Member = Owner & {
  stream: EventStream;
  language: string;
  /** Null until the first events are sent. */
  unread: number | null;
  /** Ids that were sent or existed before; the latest last. */
  seen: Set<number>;
};

export type Live = {
  /** Sends live updates to an open page until its session ends. */
  join: (stream: EventStream, owner: Owner) => void;
  /** How many pages are open. */
  size: () => number;
  /** Whether announcements from the database arrive; undefined before the first page. */
  isListening: () => boolean | undefined;
  /** The callback receives the age in seconds of each notification when an open page gets it. */
  onSent: (hear: Hear) => void;
  stop: () => Promise<void>;
};

type Hear = (seconds: number) => void;

export type LiveOptions = {
  db: Kysely<DB>;
  /** Connects past any pooler. */
  url: string;
  config: Config;
  log: Logger;
  /** Milliseconds between heartbeats, which also check all pages. */
  beatMs?: number;
  /** Milliseconds between checks while the listener is disconnected. */
  pollMs?: number;
};

export const perPerson = 10;
const maxSeen = 200;
/** Longer than any transaction that notifies people. */
const overlapSeconds = 120;
/** Above this number, a page only gets the count. */
const maxAtOnce = 5;

type Wanted = Set<number> | 'all';

const plus = (wanted: Wanted, users: readonly number[] | null): Wanted =>
  wanted === 'all' || users === null ? 'all' : new Set([...wanted, ...users]);

const eventOf = <E extends keyof StreamEvents>(event: E, data: StreamEvents[E], id?: number) => ({
  event,
  data,
  ...(id !== undefined && { id }),
});

/** Sends new items to one page; returns their ages. */
function send(member: Member, { unread, items }: Updates): number[] {
  const fresh = items.filter(({ item }) => !member.seen.has(item.id));
  const changed = member.unread !== unread;
  member.unread = unread;
  for (const { item } of fresh) member.seen.add(item.id);
  for (const id of member.seen) {
    if (member.seen.size <= maxSeen) break;
    member.seen.delete(id);
  }
  if (fresh.length > maxAtOnce) member.stream.send(eventOf('counts', { unread }));
  else if (fresh.length > 0)
    for (const { item } of fresh) member.stream.send(eventOf('notification', { ...item, unread }, item.id));
  else if (changed) member.stream.send(eventOf('counts', { unread }));
  return fresh.map(({ age }) => age);
}

type Database = LiveOptions['db'];

/** Sends the first events: the unread count, and items missed while the connection was broken. */
async function greet(db: Database, member: Member) {
  const { lastId: afterId } = member.stream;
  const { user_id, language } = member;
  const found = await updatesOf(db, { userIds: [user_id], locale: language, seconds: overlapSeconds, afterId });
  const { unread, items } = found.get(user_id) ?? { unread: 0, items: [] };
  member.unread = unread;
  for (const { item } of items) member.seen.add(item.id);
  member.stream.send(eventOf('ready', { unread }));
  const missed = afterId === undefined ? [] : items.filter(({ item }) => item.id > afterId);
  // a full batch may be incomplete: the page reads the list instead
  if (missed.length < maxUpdates)
    for (const { item } of missed) member.stream.send(eventOf('notification', { ...item, unread }, item.id));
}

const memberOf = (stream: EventStream, { user_id, session_id, locale }: Owner): Member => ({
  stream,
  user_id,
  session_id,
  locale,
  language: languageOf(locale),
  unread: null,
  seen: new Set(),
});

type OpenPages = ReturnType<typeof openPages>;

/** The open pages of this process and their queries. */
function openPages(db: Database, config: Config, sent: Hear) {
  const members = new Set<Member>();
  let lastLook = performance.now();

  const end = (member: Member, reason: StreamEvents['end']['reason']) => {
    members.delete(member);
    member.stream.end(eventOf('end', { reason }));
  };
  const chosen = (wanted: Wanted) => [...members].filter(({ user_id }) => wanted === 'all' || wanted.has(user_id));

  /** Adds a page; closes the oldest ones of a user with too many. */
  function add(member: Member) {
    members.add(member);
    member.stream.onClose(() => members.delete(member));
    const own = chosen(new Set([member.user_id]));
    for (const oldest of own.slice(0, Math.max(0, own.length - perPerson))) end(oldest, 'replaced');
  }

  async function endDead(wanted: Wanted) {
    const asked = chosen(wanted);
    if (asked.length === 0) return;
    const living = await findLiveSessions(db, [...new Set(asked.map(({ session_id }) => session_id))], config);
    for (const member of asked) if (!living.has(member.session_id)) end(member, 'session');
  }

  async function sendUpdates(wanted: Wanted) {
    const seconds = overlapSeconds + (performance.now() - lastLook) / 1_000;
    if (wanted === 'all') lastLook = performance.now();
    const asked = chosen(wanted).filter(({ unread }) => unread !== null);
    for (const [locale, readers] of Map.groupBy(asked, ({ language }) => language)) {
      const userIds = [...new Set(readers.map(({ user_id }) => user_id))];
      const found = await updatesOf(db, { userIds, locale, seconds });
      for (const member of readers) {
        const own = found.get(member.user_id);
        if (own && members.has(member)) for (const age of send(member, own)) sent(age);
      }
    }
  }
  return { members, add, end, endDead, sendUpdates };
}

type Check = { sessions: Wanted; updates: Wanted };

const isEmpty = (wanted: Wanted) => wanted !== 'all' && wanted.size === 0;

/** Checks the database for announced pages, one check at a time. */
function watch({ members, endDead, sendUpdates }: OpenPages) {
  let due: Check = { sessions: new Set(), updates: new Set() };
  let checking: Promise<void> | undefined;
  let isStopped = false;

  async function check() {
    // oxlint-disable-next-line no-unmodified-loop-condition -- stop() sets it while a look waits for the database
    while (!isStopped && !(isEmpty(due.sessions) && isEmpty(due.updates))) {
      const { sessions, updates } = due;
      due = { sessions: new Set(), updates: new Set() };
      await endDead(sessions);
      await sendUpdates(updates);
    }
  }

  /** If the database is unavailable, the next heartbeat retries. */
  function look(asked: Partial<Check>) {
    due = { ...due, ...asked };
    if (checking || members.size === 0) return;
    checking = check()
      .catch(() => undefined)
      .finally(() => {
        checking = undefined;
      });
  }

  return {
    hear: {
      tenure_notifications: (users: readonly number[] | null) => look({ updates: plus(due.updates, users) }),
      tenure_sessions: (users: readonly number[] | null) => look({ sessions: plus(due.sessions, users) }),
    },
    lookAtAll: () => look({ sessions: 'all', updates: 'all' }),
    isStopped: () => isStopped,
    /** Starts no further check; resolves when the running one has ended. */
    stop: async () => {
      isStopped = true;
      await checking;
    },
  };
}

type Timing = Required<Pick<LiveOptions, 'beatMs' | 'pollMs'>>;

/** Sends heartbeats; each one checks all pages, which happens more often while the listener is disconnected. */
function startTicks(
  members: ReadonlySet<Member>,
  { beatMs, pollMs }: Timing,
  isListening: () => boolean,
  look: () => void,
) {
  let lastBeat = performance.now();
  const tick = () => {
    const now = performance.now();
    const isDue = now - lastBeat >= beatMs;
    if (isDue) {
      lastBeat = now;
      for (const { stream } of members) stream.beat();
    }
    if (isDue || !isListening()) look();
  };
  return setInterval(tick, Math.min(pollMs, beatMs)).unref();
}

/** Keeps the open pages of this process up to date. The first page opens the listening connection. */
export function openLive({ db, url, config, log, beatMs = 20_000, pollMs = 3_000 }: LiveOptions): Live {
  const hearers: Hear[] = [];
  const pages = openPages(db, config, (seconds) => {
    for (const hear of hearers) hear(seconds);
  });
  const { members, add, end } = pages;
  const { hear, lookAtAll, isStopped, stop } = watch(pages);
  let listener: Listener | undefined;
  let timer: NodeJS.Timeout | undefined;

  function start() {
    if (timer) return;
    timer = startTicks(members, { beatMs, pollMs }, () => listener?.isListening() ?? false, lookAtAll);
    listener = listenTo({ url, log, heard: hear, onReady: lookAtAll });
  }

  async function begin(member: Member) {
    await greet(db, member);
    hear.tenure_notifications([member.user_id]);
    hear.tenure_sessions([member.user_id]);
  }

  function join(stream: EventStream, owner: Owner) {
    const member = memberOf(stream, owner);
    if (isStopped()) return end(member, 'restart');
    start();
    add(member);
    // the client reconnects
    void begin(member).catch(() => end(member, 'restart'));
  }

  async function close() {
    const checked = stop();
    clearInterval(timer);
    for (const member of members) end(member, 'restart');
    await listener?.stop();
    await checked;
  }

  return {
    join,
    size: () => members.size,
    isListening: () => listener?.isListening(),
    onSent: (heard) => void hearers.push(heard),
    stop: close,
  };
}
