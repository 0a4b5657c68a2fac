import type { Door } from './door.ts';

const withoutBody = new Set([204, 205, 304]);

/** The door as a `fetch` for libraries. It follows no redirects, whatever they request. */
export const fetchThrough =
  (door: Door, { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs?: number }): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
    const {
      status,
      headers,
      body: answered,
    } = await door.send({
      url: request.url,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      ...(body && { body }),
      maxBytes,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    const lines = Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    );
    return new Response(withoutBody.has(status) ? null : new Uint8Array(answered), { status, headers: lines });
  };
