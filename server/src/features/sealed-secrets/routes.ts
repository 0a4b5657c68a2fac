import { sealedSecrets } from '@tenure/contract';
import type { SealedSecrets } from '@tenure/contract';
import { countSecrets } from '../../access/sealed-columns.ts';
import type { KeyRing } from '../../crypto/keys.ts';
import { bind } from '../../http/context.ts';

type Key = SealedSecrets['data'][number];

const stateOf = ({ current, all }: KeyRing, kid: string): Key['state'] => {
  if (kid === current.kid) return 'current';
  return all.some((key) => key.kid === kid) ? 'previous' : 'unknown';
};

export const sealedSecretRoutes = [
  bind(sealedSecrets.list, {
    handle: async ({ db, deps: { ring } }) => {
      const counts = new Map((await countSecrets(db)).map(({ kid, count }) => [kid, count]));
      // includes unused keys of the ring: an earlier key without secrets can be removed
      const keys = [...new Set([...ring.all.map(({ kid }) => kid), ...counts.keys()])];
      return { data: keys.map((key) => ({ key, state: stateOf(ring, key), count: counts.get(key) ?? 0 })) };
    },
  }),
];
