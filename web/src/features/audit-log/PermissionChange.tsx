import { useTranslations } from 'use-intl';
import { useSides, type Side } from './use-sides.ts';

/** Of a long list of permissions, shows only those added and removed. */
export function PermissionChange({ from, to }: { from: unknown; to: unknown }) {
  const t = useTranslations('auditLog');
  const sides = useSides(from, to);
  const line = (side: Side) => t(side.kind === 'given' ? 'given' : 'taken', { list: side.text });
  return sides.length === 0 ? <span className="muted">–</span> : sides.map(line).join(' ');
}
