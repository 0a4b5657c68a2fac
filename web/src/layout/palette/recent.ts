import type { Target } from './entries.ts';

const key = 'tenure.recent';
const most = 6;

type Kept = { user: number; targets: Target[] };

function read(): Kept | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * The targets that this user opened before, latest first. Kept until the tab closes, and never shown to another user.
 */
export function recentTargets(user: number): Target[] {
  const kept = read();
  return kept?.user === user ? kept.targets : [];
}

export function remember(user: number, { icon: _icon, ...target }: Target): void {
  const others = recentTargets(user).filter(({ url }) => url !== target.url);
  const targets = [{ ...target, kind: 'recent' as const }, ...others].slice(0, most);
  sessionStorage.setItem(key, JSON.stringify({ user, targets }));
}
