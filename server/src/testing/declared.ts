import type { Endpoint } from '@tenure/contract';
import { renderedReply } from '../http/serialise.ts';

/** Throws if an answer contains anything that its schema does not declare, or lacks what it declares. */
export function assertDeclared(endpoint: Endpoint, value: unknown): void {
  if (!endpoint.reply) return;
  const rendered = renderedReply(endpoint.reply, value, 'en');
  const [declared, actual] = [sortedJson(endpoint.reply.parse(rendered)), sortedJson(rendered)];
  if (declared !== actual)
    throw new Error(
      `${endpoint.method} ${endpoint.path} answers more than it declares: ${actual} instead of ${declared}`,
    );
}

const sortedJson = (value: unknown) =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
