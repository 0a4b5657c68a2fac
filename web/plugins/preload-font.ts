import type { Plugin } from 'vite';

/** Lets the browser fetch the file of the font that every page needs together with the scripts, not after the styles. */
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
