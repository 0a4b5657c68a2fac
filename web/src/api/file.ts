import { ApiError } from './api-error.ts';
import { afterStepUp, send } from './call.ts';

const exactName = /filename\*=UTF-8''([^;]+)/;

/** Reads a file with the user's session; refusals are thrown as in `call`. */
export async function readFile(url: string, signal?: AbortSignal): Promise<{ content: Blob; name: string }> {
  const headers = { 'Accept-Language': document.documentElement.lang };
  const attempt = () => send(url, { credentials: 'include', headers, ...(signal && { signal }) });
  let response = await attempt();
  if (!response.ok) response = await afterStepUp(response, attempt);
  const [, name = ''] = exactName.exec(response.headers.get('Content-Disposition') ?? '') ?? [];
  try {
    return { content: await response.blob(), name: decodeURIComponent(name) };
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, { message: 'The file did not arrive whole.' });
  }
}
