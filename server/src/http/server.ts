import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyCompressOptions } from '@fastify/compress';
import type { FastifyInstance } from 'fastify';
import type * as z from 'zod';
import type { Config } from '../config.ts';
import { networkOf } from '../access/known-origins.ts';
import { observe } from './access-log.ts';
import { bindBodies } from './body.ts';
import type { Binding, Deps } from './context.ts';
import { bindBrandFiles, openPageBrand } from './brand-files.ts';
import { bindDocs } from './docs.ts';
import { drainBody } from './drain.ts';
import { tooMany } from './errors.ts';
import { setHeaders } from './headers.ts';
import { bindHealth, readiness } from './health.ts';
import type { Input } from './input.ts';
import { badTokensPerMinute, budgets, dailyLimit, guestsPerMinute, lookedUpPerMinute, rateLimit } from './limits.ts';
import type { Limits } from './limits.ts';
import { makeListener } from './listener.ts';
import { bearsToken, originClassifier } from './origin.ts';
import { bindPages } from './pages.ts';
import { sendError, setContextHeaders } from './reply.ts';
import { bindScim } from '../scim/server.ts';
import { bindBackchannelLogout } from '../sso/backchannel.ts';
import { bindClientKeys } from '../sso/client-keys.ts';
import { bindSaml } from '../sso/saml/acs.ts';
import { openWebReleases } from '../releases/web-releases.ts';
import { bindEndpoints } from './routes.ts';
import { bindSecurityText } from './security-txt.ts';
import { compileReply } from './serialise.ts';
import { openSharedCounts } from './shared-counts.ts';
import type { SharedCounts } from './shared-counts.ts';
import { parseInput } from './validation.ts';

/** The address where browsers get a CSRF cookie; needs no database. */
function bindCsrfCookie(app: FastifyInstance, { sessionCookies }: Deps) {
  const limit = rateLimit(guestsPerMinute);
  app.route({
    method: ['GET', 'HEAD'],
    url: '/sanctum/csrf-cookie',
    handler: (request, reply) => {
      const { remaining, seconds } = limit.consume(networkOf(request.ip));
      if (remaining < 0) throw tooMany(seconds, limit.limit);
      // a program has no use for it
      if (bearsToken(request.headers)) return reply.code(204).send();
      return reply.code(204).header('set-cookie', sessionCookies.primeCookies(request.headers)).send();
    },
  });
}

/** Limits of a user's requests and of costly work, counted across all processes. */
const openLimits = ({ RATE_LIMIT_PER_MINUTE }: Config, { reportOf }: SharedCounts): Limits => ({
  general: rateLimit(RATE_LIMIT_PER_MINUTE, { report: reportOf('general') }),
  export: dailyLimit('export'),
  import: dailyLimit('import'),
  lookup: rateLimit(budgets.lookup, { report: reportOf('lookup') }),
  guest: rateLimit(guestsPerMinute),
  tokens: rateLimit(2 * RATE_LIMIT_PER_MINUTE, { report: reportOf('tokens') }),
  badTokens: rateLimit(badTokensPerMinute),
  lookedUp: rateLimit(lookedUpPerMinute),
});

/**
 * An answer that fits into one packet is not compressed. Pages of a list are compressed in one call, because at their
 * size a stream costs more than the compression. The window of 256 kB is larger than they are; brotli's default of 4 MB
 * is costly to set up.
 */
const compression: FastifyCompressOptions = {
  threshold: 1_400,
  syncThreshold: 65_536,
  brotliOptions: {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
  },
  encodings: ['br', 'gzip'],
  // request bodies are never decompressed
  globalDecompression: false,
};

/** Binds addresses of a feature that are not part of the API. */
export type Outside = (app: FastifyInstance, deps: Deps) => void;

/** Builds the HTTP server: plumbing, every bound endpoint, health, documentation, the browser application. */
export async function buildServer(
  deps: Deps,
  bindings: readonly Binding[],
  { webFolder, outside = [] }: { webFolder?: string | undefined; outside?: readonly Outside[] } = {},
): Promise<FastifyInstance> {
  const { config } = deps;
  const app = makeListener(deps);
  observe(app, deps.metrics);
  setHeaders(app, config);
  app.setErrorHandler(sendError);
  app.setSerializerCompiler<z.ZodObject>(({ schema }) => compileReply(schema));
  app.setValidatorCompiler<z.ZodObject>(
    ({ schema }) =>
      (input: Input) =>
        parseInput(schema, input) as { value?: Input },
  );
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.context) setContextHeaders(request.context, reply);
    if (drainBody(request.raw, reply.getHeader('connection') === 'close')) reply.header('connection', 'close');
    done();
  });
  // open streams would keep the listener from closing
  app.addHook('preClose', () => deps.live.stop());
  await app.register(compress, compression);
  const brandNow = openPageBrand(deps);
  const resets = deps.config.PASSWORD_RESET_BY_MAIL;
  const allowOf = await bindPages(app, { brandNow, releases: openWebReleases(deps.db), resets }, webFolder);
  bindBrandFiles(app, deps, brandNow);
  bindBodies(
    app,
    deps.files,
    ({ context }) => context?.routes.find(({ endpoint }) => endpoint.upload)?.endpoint.upload,
  );
  const counts = openSharedCounts(deps.db);
  app.addHook('onClose', () => counts.stop());
  const limits = openLimits(config, counts);
  bindEndpoints(app, bindings, { deps, limits, originOf: originClassifier(config), allowOf });
  bindCsrfCookie(app, deps);
  bindHealth(app, readiness(deps));
  bindBackchannelLogout(app, deps);
  bindClientKeys(app, deps);
  bindSaml(app, deps);
  if (config.SCIM) await bindScim(app, deps);
  for (const bindOutside of outside) bindOutside(app, deps);
  bindSecurityText(app, config);
  if (config.DOCS) bindDocs(app, config, bindings);
  return app;
}
