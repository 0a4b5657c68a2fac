import type { Plugin } from 'vite';
import { paths } from '../src/paths.ts';

/** Writes the addresses of the application as `routes.json`, so that the service knows which of them are pages. */
export function spaRoutes(): Plugin {
  const patterns = Object.values(paths).map((path) => path.replaceAll('$', ':'));
  return {
    name: 'tenure-spa-routes',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'routes.json', source: `${JSON.stringify(patterns, null, 2)}\n` });
    },
  };
}
