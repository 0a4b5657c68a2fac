import { text } from '@tenure/contract';
import type { ServiceCtx } from '../http/context.ts';
import { invalid } from '../http/errors.ts';
import { EgressDenied, EgressFailed } from './failures.ts';

/** Refuses an entered address (`url`) that requests are not allowed to reach or cannot reach. */
export async function requireAllowedUrl({ deps }: Pick<ServiceCtx, 'deps'>, url: string): Promise<void> {
  await deps.door.check(url).catch((error: unknown) => {
    if (error instanceof EgressDenied) throw invalid('url', text('sso.not_allowed'));
    if (error instanceof EgressFailed) throw invalid('url', text('sso.unreachable'));
    throw error;
  });
}
