import type { Plugin } from 'vite';

/** Preloads the font file that every page needs, in parallel with the scripts. */
export function preloadFont(name: RegExp): Plugin {
  return {
    name: 'tenure-preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => name.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
            injectTo: 'head',
          })),
    },
  };
}
