import { sso, type Reply } from '@tenure/contract';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';

type Ways = Reply<typeof sso.ways>['data'];

const key = 'tenure.sign-in.ways';
const passwordOnly: Ways = { by_address: false, passkey: false, providers: [] };

/** The service's last answer on this device, so that the form does not change while the user looks at it. */
function kept(): Ways {
  try {
    const ways = JSON.parse(localStorage.getItem(key) ?? 'null') as Ways | null;
    return Array.isArray(ways?.providers) ? ways : passwordOnly;
  } catch {
    return passwordOnly;
  }
}

function keep(ways: Ways): void {
  try {
    if (JSON.stringify(ways) === JSON.stringify(passwordOnly)) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(ways));
  } catch {
    // a device without storage shows the password until the answer arrives
  }
}

/**
 * The ways to sign in. The page does not wait for the answer, and uses the last one if there is none. This is not a
 * query, since signing out clears the query cache while this page is already open.
 */
export function useWays(): Ways {
  const [ways, setWays] = useState(kept);
  useEffect(() => {
    const left = new AbortController();
    const ask = async () => {
      const { data } = await call(sso.ways, {}, { signal: left.signal });
      keep(data);
      setWays(data);
    };
    void ask().catch(() => undefined);
    return () => left.abort();
  }, []);
  return ways;
}
