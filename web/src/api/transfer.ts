const headersOf = (request: XMLHttpRequest): Headers => {
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/);
  return new Headers(
    lines.filter(Boolean).map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
};

/** Like `fetch`, with upload progress, which only XMLHttpRequest reports. */
export function transfer(url: string, request: RequestInit, onProgress: (part: number) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const transport = new XMLHttpRequest();
    transport.open(request.method ?? 'GET', url);
    transport.withCredentials = request.credentials === 'include';
    for (const [name, value] of new Headers(request.headers)) transport.setRequestHeader(name, value);
    transport.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    transport.addEventListener('load', () => {
      const { status, statusText, responseText } = transport;
      const body = status === 204 ? null : responseText;
      resolve(new Response(body, { status, statusText, headers: headersOf(transport) }));
    });
    transport.addEventListener('error', () => reject(new TypeError('The request failed.')));
    transport.addEventListener('abort', () => reject(new DOMException('The request was given up.', 'AbortError')));
    request.signal?.addEventListener('abort', () => transport.abort());
    transport.send((request.body ?? null) as XMLHttpRequestBodyInit | null);
  });
}
