import compile from 'icu-minify/compile';
import type { Plugin } from 'vite';

export type Texts = { [key: string]: string | Texts };
type Compiled = { [key: string]: ReturnType<typeof compile> | Compiled };

/** Texts with each message in the form that a browser formats without reading ICU. */
export const compileTexts = (texts: Texts): Compiled =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, typeof text === 'string' ? compile(text) : compileTexts(text)]),
  );

/** Reads the messages when the application is built, so that no browser needs the reader of ICU, a tenth of its script. */
export function compiledTexts(): Plugin {
  return {
    name: 'tenure-compiled-texts',
    apply: 'build',
    enforce: 'pre',
    config: () => ({
      resolve: { alias: [{ find: /^use-intl\/format-message$/, replacement: 'use-intl/format-message/format-only' }] },
    }),
    transform: {
      filter: { id: /[\\/]locales[\\/]\w+[\\/][\w-]+\.json$/ },
      handler: (code) => JSON.stringify(compileTexts(JSON.parse(code) as Texts)),
    },
  };
}

/** Files of texts by language: `en/base`, `en/companies`. */
export function textsFile(module: string | null): string | undefined {
  const [, language, part = 'base'] = /[\\/]locales[\\/](\w+)(?:[\\/]([\w-]+)\.json|\.ts)$/.exec(module ?? '') ?? [];
  return language && `assets/${language}/${part}-[hash:7].js`;
}
