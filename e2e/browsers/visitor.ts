import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { locate, selectorOf, type Found, type Sought } from './locate.ts';
import { keys, type Point, type Window } from './window.ts';

/** How long a page may take to show what is looked for. */
const timeout = 20_000;
const pause = (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms));
const pictures = join(import.meta.dirname, '../../test-results');

/** `locate` with its arguments, as the page runs it. */
const codeOf = (kind: Sought['kind'], name: string, exact: boolean, place: number) =>
  `(${locate.toString()})(${JSON.stringify(selectorOf(kind))}, ${JSON.stringify(name)}, ${exact}, ${place})`;

type Which = { exact?: boolean; place?: number };

/** A person at a browser window, who finds elements by their names and clicks at their position. */
export class Visitor {
  readonly #window: Window;
  readonly #service: string;

  constructor(window: Window, service: string) {
    this.#window = window;
    this.#service = service;
  }

  /** Opens a page by its address, and collects its uncaught errors. */
  async goTo(path: string): Promise<void> {
    await this.#window.open(this.#service + path);
    await this.#window.evaluate(`(globalThis.faults = [],
      addEventListener('error', ({ message }) => faults.push(message)),
      addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason))), true)`);
  }

  faults(): Promise<unknown> {
    return this.#window.evaluate('globalThis.faults');
  }

  async path(): Promise<string> {
    return String(await this.#window.evaluate('location.pathname'));
  }

  /** Signs out, so that another person can sign in. */
  async forget(): Promise<void> {
    await this.goTo('/login');
    await this.#window.evaluate(`fetch('/api/logout', { method: 'POST', headers: {
      Accept: 'application/json',
      'X-XSRF-TOKEN': decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? ''),
    } }).then(({ status }) => status)`);
    // the application notices and navigates too, which in Firefox would interfere with the next page that is opened
    await this.#window.open('about:blank');
  }

  /** Waits until the page has this path. */
  async arrivesAt(path: string): Promise<void> {
    await this.#until(
      async () => (await this.path()) === path,
      async () => `at ${await this.path()}, not ${path}`,
    );
  }

  /** Polls until the condition is true, as long as a page may take. */
  async #until(isSo: () => Promise<boolean>, fault: () => Promise<string>): Promise<void> {
    for (const until = Date.now() + timeout; Date.now() < until; await pause(80)) if (await isSo()) return;
    throw new Error(await fault());
  }

  /** The position of an element, once it is on the screen, does not move and is not covered. */
  async finds(kind: Sought['kind'], name = '', { exact = true, place = 0 }: Which = {}): Promise<Found> {
    const code = codeOf(kind, name, exact, place);
    let before: Found | null = null;
    for (const until = Date.now() + timeout; Date.now() < until; await pause(80)) {
      const found = (await this.#window.evaluate(code)) as Found | null;
      if (found && !found.problem && before && found.x === before.x && found.y === before.y) return found;
      before = found;
    }
    throw new Error(`${kind} “${name}”: ${before?.problem ? `under ${before.problem}` : 'not on the screen'}`);
  }

  async press(kind: Sought['kind'], name = '', which: Which = {}): Promise<void> {
    await this.#window.press([await this.finds(kind, name, which)]);
  }

  async sees(text: string): Promise<void> {
    await this.#until(
      () => this.#isShown(text),
      async () => `“${text}” is not on the screen`,
    );
  }

  async misses(text: string): Promise<void> {
    await this.#until(
      async () => !(await this.#isShown(text)),
      async () => `“${text}” stays on the screen`,
    );
  }

  async #isShown(text: string): Promise<boolean> {
    return (await this.#window.evaluate(codeOf('text', text, false, 0))) !== null;
  }

  /** Clicks into a field and replaces its text. */
  async fill(field: string, text: string, which: Which = {}): Promise<void> {
    await this.press('field', field, which);
    await this.#window.evaluate('document.activeElement.select?.()');
    await this.#window.type(text === '' ? keys.Backspace : text);
  }

  type(text: string): Promise<void> {
    return this.#window.type(text);
  }

  /** Drags the pressed pointer along these points. */
  drag(points: readonly Point[]): Promise<void> {
    return this.#window.press(points);
  }

  wheel(point: Point, by: Point): Promise<void> {
    return this.#window.wheel(point, by);
  }

  choose(path: string): Promise<void> {
    return this.#window.choose('input[type=file]', path);
  }

  async keepPicture(name: string): Promise<void> {
    await mkdir(pictures, { recursive: true });
    await writeFile(join(pictures, `${name}.png`), await this.#window.picture());
  }

  leave(): Promise<void> {
    return this.#window.close();
  }
}
