import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pressActions, typeActions, wheelActions, type OpenWindow } from './window.ts';

type Answer = { id?: number; type: string; result?: unknown; error?: string; message?: string };

/** Starts Firefox with a new profile and returns the address of its WebDriver BiDi endpoint. */
async function start() {
  const profile = await mkdtemp(join(tmpdir(), 'tenure-firefox-'));
  const flags = ['--headless', '--no-remote', '--new-instance', '--profile', profile, '--remote-debugging-port', '0'];
  const browser = spawn('firefox-esr', flags, {
    env: { ...process.env, HOME: profile },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(browser, 'exit');
  const end = async () => {
    browser.kill();
    await ended;
    await rm(profile, { recursive: true, force: true });
  };
  for await (const line of createInterface(browser.stderr)) {
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
    if (address) return { address, end };
  }
  throw new Error('Firefox did not start');
}

/** Sends WebDriver BiDi commands and returns their results. */
async function connect(address: string) {
  const socket = new WebSocket(`${address}/session`);
  await once(socket, 'open');
  const open = new Map<number, (answer: Answer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    if (answer.id !== undefined) open.get(answer.id)?.(answer);
  });
  let last = 0;
  return async (method: string, params: object): Promise<unknown> => {
    last += 1;
    const id = last;
    const answered = new Promise<Answer>((resolve) => void open.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const answer = await answered;
    open.delete(id);
    if (answer.type === 'error') throw new Error(`${method}: ${answer.error}: ${answer.message}`);
    return answer.result;
  };
}

/** A Firefox window driven by WebDriver BiDi, which needs no separate driver. */
export const openFirefox: OpenWindow = async (viewport) => {
  const { address, end } = await start();
  const send = await connect(address);
  await send('session.new', { capabilities: {} });
  const { context } = (await send('browsingContext.create', { type: 'tab' })) as { context: string };
  await send('browsingContext.setViewport', { context, viewport });
  const evaluate = async (expression: string) => {
    const answer = (await send('script.evaluate', {
      expression: `(async () => JSON.stringify(await (${expression})))()`,
      target: { context },
      awaitPromise: true,
    })) as { result?: { value?: string }; exceptionDetails?: { text: string } };
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.text);
    return answer.result?.value === undefined ? undefined : (JSON.parse(answer.result.value) as unknown);
  };
  const perform = async (actions: object[]) => void (await send('input.performActions', { context, actions }));
  return {
    open: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    evaluate,
    press: (points) => perform(pressActions(points)),
    wheel: (point, by) => perform(wheelActions(point, by)),
    type: (text) => perform(typeActions(text)),
    choose: async (selector, path) => {
      const { nodes } = (await send('browsingContext.locateNodes', {
        context,
        locator: { type: 'css', value: selector },
      })) as { nodes: { sharedId: string }[] };
      await send('input.setFiles', { context, element: { sharedId: nodes[0]?.sharedId }, files: [path] });
    },
    picture: async () => {
      const { data } = (await send('browsingContext.captureScreenshot', { context })) as { data: string };
      return Buffer.from(data, 'base64');
    },
    close: end,
  };
};
