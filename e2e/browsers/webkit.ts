import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { freePort } from '../../server/src/testing/free-port.ts';
import { pressActions, typeActions, wheelActions, type OpenWindow } from './window.ts';

/** The key of an element reference in WebDriver answers. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/** A virtual screen, since WebKitGTK draws in a window. */
async function startScreen(): Promise<{ name: string; process: ChildProcess }> {
  const process = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = (await once(process.stdout, 'data')) as [Buffer];
  return { name: `:${number.toString().trim()}`, process };
}

/** Sends WebDriver commands to the driver at this port. */
const connect = (port: number) => async (method: string, path: string, body?: object) => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
  });
  const { value } = (await answer.json()) as { value: unknown };
  const refusal = value as { error?: string; message?: string } | null;
  if (!answer.ok) throw new Error(`${path}: ${refusal?.error}: ${refusal?.message}`);
  return value;
};

/** Starts the driver and returns a function that sends to it, once it answers. */
async function startDriver(display: string) {
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' },
    stdio: 'ignore',
  });
  const send = connect(port);
  for (let tries = 0; tries < 100; tries += 1) {
    const isReady = await send('GET', '/status').then(
      () => true,
      () => false,
    );
    if (isReady) return { driver, send };
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
  throw new Error('WebKitWebDriver did not start');
}

async function end(process: ChildProcess): Promise<void> {
  const ended = once(process, 'exit');
  process.kill();
  await ended;
}

/** A WebKitGTK window driven by WebDriver. */
export const openWebKit: OpenWindow = async ({ width, height }) => {
  const screen = await startScreen();
  const { driver, send } = await startDriver(screen.name);
  const [binary] = globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser');
  const browser = { binary, args: ['--automation', `--geometry=${width}x${height}`] };
  const { sessionId } = (await send('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': browser } },
  })) as { sessionId: string };
  const session = (method: string, path: string, body?: object) => send(method, `/session/${sessionId}${path}`, body);
  await session('POST', '/window/rect', { x: 0, y: 0, width, height: height + 60 });
  const perform = async (actions: object[]) => void (await session('POST', '/actions', { actions }));
  return {
    open: async (url) => void (await session('POST', '/url', { url })),
    evaluate: (expression) =>
      session('POST', '/execute/async', {
        script: `Promise.resolve(${expression}).then(arguments[0], (error) => arguments[0](String(error)))`,
        args: [],
      }),
    press: (points) => perform(pressActions(points)),
    wheel: (point, by) => perform(wheelActions(point, by)),
    type: (text) => perform(typeActions(text)),
    choose: async (selector, path) => {
      const element = (await session('POST', '/element', { using: 'css selector', value: selector })) as Record<
        string,
        string
      >;
      await session('POST', `/element/${element[elementKey]}/value`, { text: path });
    },
    picture: async () => Buffer.from((await session('GET', '/screenshot')) as string, 'base64'),
    close: async () => {
      await session('DELETE', '');
      await end(driver);
      await end(screen.process);
    },
  };
};
