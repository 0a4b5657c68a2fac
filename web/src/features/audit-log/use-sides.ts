import { useFormatter } from 'use-intl';
import { usePermissionLabel } from '../../ui/permission-labels.ts';

export type Side = { kind: 'given' | 'taken'; text: string };

const names = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The permissions that were added and removed between two lists, by label. */
export function useSides(from: unknown, to: unknown): Side[] {
  const format = useFormatter();
  const label = usePermissionLabel();
  const [before, after] = [names(from), names(to)];
  const text = (these: string[], those: string[]) =>
    format.list(these.filter((one) => !those.includes(one)).map((name) => label({ name, label: name })));
  const sides: Side[] = [
    { kind: 'given', text: text(after, before) },
    { kind: 'taken', text: text(before, after) },
  ];
  return sides.filter((side) => side.text !== '');
}
