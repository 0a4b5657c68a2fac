import { fileURLToPath } from 'node:url';
import { JSDOM, VirtualConsole } from 'jsdom';
import type { DOMWindow } from 'jsdom';
import { build } from 'vite';

/** The module `page-clients.ts` with everything that it uses, as one script for a browser. */
async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: false,
      lib: { entry: fileURLToPath(new URL('page-clients.ts', import.meta.url)), formats: ['iife'], name: 'clients' },
    },
  });
  const [output] = [built].flat();
  const chunk = output && 'output' in output ? output.output[0] : undefined;
  if (!chunk) throw new Error('The clients were not built.');
  return chunk.code;
}

let script: Promise<string> | undefined;

export type Page<Clients> = { window: DOMWindow; clients: Clients; cookie: (name: string) => string | undefined };

/** Opens a page in a browser at an address, with the client packages loaded. */
export async function openPage<Clients>(url: string): Promise<Page<Clients>> {
  script ??= bundle();
  // refusals and blocked origins are what the tests are about
  const { window } = new JSDOM('<!doctype html><div id="root"></div>', {
    url,
    runScripts: 'outside-only',
    pretendToBeVisual: true,
    virtualConsole: new VirtualConsole(),
  });
  window.eval(`${await script};window.clients = clients;`);
  const cookie = (name: string) =>
    window.document.cookie
      .split('; ')
      .find((pair) => pair.startsWith(`${name}=`))
      ?.slice(name.length + 1);
  return { window, clients: (window as unknown as { clients: Clients }).clients, cookie };
}
