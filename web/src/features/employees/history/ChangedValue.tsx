import { useFormatter, useTranslations } from 'use-intl';
import { useAuditLabels } from '../../../ui/audit-labels.ts';
import { Day } from '../../../ui/Dates.tsx';
import { useRoleName, useWrittenRoles } from '../../../ui/role-name.ts';
import { isChoice } from '../form/fields.ts';
import { useChoiceLabel } from '../form/labels.ts';

export const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

type Names = Readonly<Record<string, string>> | undefined;
type Props = { field: string; value: unknown; names: Names };

const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);

/** One value of a recorded change as text. The entry holds the names for its ids. */
export function ChangedValue({ field, value, names }: Props) {
  const t = useTranslations('profile.history');
  const labels = useAuditLabels();
  const choice = useChoiceLabel();
  const format = useFormatter();
  const roleName = useRoleName();
  const written = useWrittenRoles();
  const named = (id: unknown) => names?.[String(id)] ?? t('beyond');
  if (isEmpty(value)) return <span className="muted">{t('nothing')}</span>;
  if (value === '[hidden]') return <span className="muted">{t('hidden')}</span>;
  if (isDay(value)) return <Day value={value} />;
  if (isChoice(field)) return choice(field, String(value));
  if (names && typeof value === 'number') return <bdi>{named(value)}</bdi>;
  if (Array.isArray(value)) {
    const parts = value.map((one: unknown) =>
      isRole(one)
        ? limited(roleName(one.role), placesOf(one), (ids) => format.list(ids.map(named)))
        : labels.field(String(one)),
    );
    return <bdi>{parts.length > 0 ? format.list(parts) : '–'}</bdi>;
  }
  if (field === 'roles' && typeof value === 'string') return <bdi>{written(value)}</bdi>;
  return <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>;
}

type Role = { role: string; entity_ids: number[] | null; department_ids?: number[] };

/** The keys of the names of the companies and departments of a role; null for no limit. */
const placesOf = ({ entity_ids, department_ids = [] }: Role) =>
  entity_ids && [...entity_ids.map(String), ...department_ids.map((id) => `department:${id}`)];

const isRole = (value: unknown): value is Role => typeof value === 'object' && value !== null && 'role' in value;

const limited = (role: string, ids: string[] | null, list: (ids: string[]) => string) =>
  ids === null ? role : `${role} (${list(ids)})`;
