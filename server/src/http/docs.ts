import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Binding } from './context.ts';
import { describeApi } from './openapi.ts';
import { json } from './reply.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Tenure API</title>
    <link rel="stylesheet" href="/docs/api/assets/swagger-ui.css" />
  </head>
  <body>
    <div id="docs"></div>
    <script src="/docs/api/assets/swagger-ui-bundle.js"></script>
    <script src="/docs/api/assets/start.js"></script>
  </body>
</html>
`;

/** Starts the viewer; requests tried out in it carry the session cookie and the CSRF token, like the application's. */
const start = `SwaggerUIBundle({
  url: '/docs/api.json',
  dom_id: '#docs',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  requestInterceptor: (request) => {
    const token = /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie);
    if (token) request.headers['X-XSRF-TOKEN'] = decodeURIComponent(token[1]);
    request.credentials = 'same-origin';
    return request;
  },
});
`;

const javascript = 'text/javascript; charset=utf-8';
const html = 'text/html; charset=utf-8';
const viewer = join(dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui'))), 'static');

/** `/docs/api` and `/docs/api.json`; every file is served from here, nothing from elsewhere. */
export function bindDocs(app: FastifyInstance, config: Config, bindings: readonly Binding[]) {
  // built on the first request, so that a service without readers saves the memory
  let document: string | undefined;
  const answers: Record<string, [type: string, content: () => string | Promise<Buffer>]> = {
    '/docs/api': [html, () => page],
    '/docs/api.json': [json, () => (document ??= JSON.stringify(describeApi(config, bindings)))],
    '/docs/api/assets/start.js': [javascript, () => start],
    '/docs/api/assets/swagger-ui-bundle.js': [javascript, () => readFile(join(viewer, 'swagger-ui-bundle.js'))],
    '/docs/api/assets/swagger-ui.css': ['text/css; charset=utf-8', () => readFile(join(viewer, 'swagger-ui.css'))],
  };
  for (const [url, [type, content]] of Object.entries(answers))
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (_request, reply) =>
        reply
          .headers({ 'content-type': type, 'cache-control': 'no-cache', 'content-security-policy': policy })
          .send(await content()),
    });
}
