import compile from 'icu-minify/compile';
import type { Plugin } from 'vite';

export type Texts = { [key: string]: string | Texts };
type Compiled = { [key: string]: ReturnType<typeof compile> | Compiled };

/** Precompiles each message, so that the browser formats it without an ICU parser. */
export const compileTexts = (texts: Texts): Compiled =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, typeof text === 'string' ? compile(text) : compileTexts(text)]),
  );

/** Parses the messages at build time: the ICU parser would be a tenth of the browser's script. */
export function compiledTexts(): Plugin {
  return {
    name: 'tenure-compiled-texts',
    apply: 'build',
    enforce: 'pre',
    config: () => ({
      resolve: { alias: [{ find: /^use-intl\/format-message$/, replacement: 'use-intl/format-message/format-only' }] },
    }),
    transform: {
      filter: { id: /[\\/]locales[\\/]\w+[\\/](browser[\\/])?[\w-]+\.json$/ },
      handler: (code) => JSON.stringify(compileTexts(JSON.parse(code) as Texts)),
    },
  };
}
