import type { HttpError } from './errors.ts';
import type { Visit } from './pipeline.ts';

type Event = { event: string; [detail: string]: unknown };

const refusedHost = (value: string | undefined) =>
  value !== undefined && URL.canParse(value) ? new URL(value).host : 'unreadable';

/** Which refusals an operator wants to count, by the name they have in the log. */
function eventOf({ origin, presented, request, paths }: Visit, { status, body }: HttpError): Event | undefined {
  switch (status) {
    case 401:
      return presented.content ? { event: 'session_rejected' } : undefined;
    case 403:
      return { event: 'authz_denied', reason: body.message };
    case 413:
      return { event: 'upload_rejected' };
    case 419:
      return origin === 'foreign'
        ? { event: 'origin_rejected', host: refusedHost(request.headers.referer || request.headers.origin) }
        : { event: 'csrf_failed' };
    case 422:
      if (body.status !== undefined) return { event: 'transition_refused' };
      if (body.errors?.file) return { event: 'upload_rejected' };
      return request.method === 'DELETE' ? { event: 'delete_refused' } : undefined;
    case 429:
      return paths.path === '/login' ? undefined : { event: 'limit_hit' };
    case 503:
      return { event: 'unavailable' };
    default:
      return undefined;
  }
}

/** Notes a refusal that tells of an attack, of a wrong setting or of a fault; the message never holds what was sent. */
export function logRefusal(visit: Visit, refusal: HttpError) {
  const event = eventOf(visit, refusal);
  if (!event) return;
  const { request, actor } = visit;
  const where = { request_id: request.id, actor_id: actor?.user_id ?? null, ip: request.ip };
  request.log.warn({ ...event, ...where, method: request.method, route: request.routeOptions.url }, 'refused');
}
