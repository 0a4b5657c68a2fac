import type { Plugin } from 'vite';

/** Lists the initial text files per language in the page, so that boot.js can preload those of the chosen language. */
export function preloadTexts(): Plugin {
  return {
    name: 'tenure-texts-ahead',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.values(bundle ?? {}).flatMap((chunk) => {
          const id = chunk.type === 'chunk' && /locales[\\/](\w+)\.ts$/.exec(chunk.facadeModuleId ?? '')?.[1];
          return id ? [{ tag: 'meta', attrs: { name: `texts-${id}`, content: `/${chunk.fileName}` } }] : [];
        }),
    },
  };
}
