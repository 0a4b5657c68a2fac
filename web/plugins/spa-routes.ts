import type { Plugin } from 'vite';
import { paths } from '../src/paths.ts';

/** Writes the client-side routes to `routes.json`, so that the service can serve the page for them. */
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
