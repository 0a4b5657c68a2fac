import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const socketName = '.s.PGSQL.5432';

/** A connection between service and database that a test can cut, silence and restore. */
export type DatabaseLine = {
  url: string;
  /** Breaks every connection and refuses new ones. */
  cut: () => void;
  /** Accepts everything and forwards nothing, like a peer that lost power. */
  silence: () => void;
  mend: () => void;
  /** Breaks the line as soon as the service has sent `text`, before the answer can arrive. */
  cutAfter: (text: string) => void;
  /** Silences the line as soon as the service has sent `text`; resolves then. */
  silenceAfter: (text: string) => Promise<void>;
  close: () => Promise<void>;
};

/** The text to wait for from the service, and what happens then. */
type Trigger = { text: string; spring: () => void };
type State = { mode: 'open' | 'cut' | 'silent'; trigger: Trigger | undefined };

function passOn(near: Socket, far: Socket, state: State) {
  near.on('data', (chunk) => {
    if (state.mode === 'silent') return;
    far.write(chunk);
    const { trigger } = state;
    if (!trigger || !chunk.includes(trigger.text)) return;
    state.trigger = undefined;
    // the database received the query and works on it, but its answer is lost
    state.mode = 'silent';
    trigger.spring();
  });
  far.on('data', (chunk) => {
    if (state.mode !== 'silent') near.write(chunk);
  });
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('close', () => other.destroy());
    one.on('error', () => other.destroy());
  }
}

/** Starts a line to the database at an address that uses a socket. */
export async function startLine(target: string): Promise<DatabaseLine> {
  const folder = await mkdtemp(join(tmpdir(), 'tenure-line-'));
  const url = new URL(target);
  const path = join(decodeURIComponent(url.hostname), socketName);
  url.hostname = encodeURIComponent(folder);
  const state: State = { mode: 'open', trigger: undefined };
  const sockets = new Set<Socket>();
  const cut = () => {
    state.mode = 'cut';
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    if (state.mode === 'cut') return void near.destroy();
    sockets.add(near);
    near.on('close', () => sockets.delete(near));
    passOn(near, connect(path), state);
  });
  await new Promise<void>((done) => void server.listen(join(folder, socketName), done));
  return {
    url: url.href,
    cut,
    silence: () => {
      state.mode = 'silent';
    },
    mend: () => {
      state.mode = 'open';
    },
    cutAfter: (text) => {
      state.trigger = { text, spring: () => void setTimeout(cut, 100) };
    },
    silenceAfter: (text) =>
      new Promise((spring) => {
        state.trigger = { text, spring };
      }),
    close: async () => {
      cut();
      await new Promise((done) => void server.close(done));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
