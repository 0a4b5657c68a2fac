import { fileURLToPath } from 'node:url';
import { createFetch } from 'ofetch';
import type { $Fetch } from 'ofetch';
import { build } from 'vite';

/** Runs nuxt-auth-sanctum as published, without a Nuxt application. */

type User = { data: { user: { email: string } } } | null;
type Auth = {
  user: { value: User };
  isAuthenticated: { value: boolean };
  login: (credentials: object, fetchIdentity?: boolean) => Promise<{ two_factor?: boolean } | undefined>;
  logout: () => Promise<void>;
  refreshIdentity: () => Promise<void>;
};
export type NuxtSanctum = { auth: Auth; client: $Fetch };
type Around = { baseUrl: string; cookie: (name: string) => string | undefined };
type Built = {
  around: Around;
  application: { client?: unknown };
  logger: object;
  createHttpClient: (app: object, logger: object) => $Fetch;
  useNuxtApp: () => object;
  useSanctumAuth: () => Auth;
};

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const published = fileURLToPath(new URL('../../../node_modules/nuxt-auth-sanctum/dist/runtime', import.meta.url));
const entry = 'nuxt-sanctum-entry';

async function bundle(): Promise<string> {
  const app = here('nuxt-app.ts');
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'import.meta.server': 'false', 'process.env.NODE_ENV': '"production"' },
    resolve: { alias: { '#app': app, '#imports': app, h3: app } },
    plugins: [
      {
        name: entry,
        resolveId: (id) => (id.endsWith(entry) ? `\0${entry}` : null),
        load: (id) =>
          id === `\0${entry}`
            ? `export { createHttpClient } from '${published}/httpFactory.js';
               export { useSanctumAuth } from '${published}/composables/useSanctumAuth.js';
               export { around, application, logger, useNuxtApp } from '#app';`
            : null,
      },
    ],
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'built' } },
  });
  const [output] = [built].flat();
  const chunk = output && 'output' in output ? output.output[0] : undefined;
  if (!chunk) throw new Error('nuxt-auth-sanctum was not built.');
  return chunk.code;
}

/** The composables on a page with these cookies. */
export async function openNuxtSanctum(fetch: typeof globalThis.fetch, around: Around): Promise<NuxtSanctum> {
  const code = await bundle();
  // oxlint-disable-next-line typescript/no-implied-eval -- the script of the page, which finds `$fetch` as a global
  const run = new Function('$fetch', `${code};return built;`) as ($fetch: $Fetch) => Built;
  const built = run(createFetch({ fetch }));
  Object.assign(built.around, around);
  const client = built.createHttpClient(built.useNuxtApp(), built.logger);
  built.application.client = client;
  return { auth: built.useSanctumAuth(), client };
}
