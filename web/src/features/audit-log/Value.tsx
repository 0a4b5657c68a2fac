import { cut } from '@tenure/contract/cut';
import { useFormatter, useTranslations } from 'use-intl';
import { useAuditLabels } from '../../ui/audit-labels.ts';
import { Day, Moment } from '../../ui/Dates.tsx';
import { useWrittenRoles } from '../../ui/role-name.ts';

type Names = Readonly<Record<string, string>> | undefined;
type Props = { field: string; value: unknown; names: Names };

/** One value of a change as text. The entry holds the names for its ids. */
export function Value(props: Props) {
  const t = useTranslations('auditLog');
  const formatValue = useFormatValue(props.names);
  const { value } = props;
  if (value === '[hidden]') return <span className="muted">{t('hidden')}</span>;
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)) return <Day value={value} />;
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value)) return <Moment value={value} />;
  if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) return <Fingerprint text={value} />;
  return <Text text={formatValue(value, props.field)} />;
}

/** A hash is meaningful only to a machine, so it is collapsed. */
function Fingerprint({ text }: { text: string }) {
  const t = useTranslations('auditLog');
  return (
    <details style={{ display: 'inline-block', verticalAlign: 'top' }}>
      <summary>
        <span className="visually-hidden">{t('fingerprint')}</span> <bdi className="numbers">{text.slice(0, 8)}…</bdi>
      </summary>
      <bdi className="numbers">{text}</bdi>
    </details>
  );
}

/** The longest text, in characters, that is shown without expanding. */
const longest = 140;

function Text({ text }: { text: string }) {
  if (text.length <= longest) return <bdi>{text}</bdi>;
  return (
    <details>
      <summary>
        <bdi>{`${cut(text, longest)}…`}</bdi>
      </summary>
      <bdi>{text}</bdi>
    </details>
  );
}

/** The fields that hold names of roles. */
const rolesOf: ReadonlySet<string> = new Set(['role', 'roles']);

/** The entry names departments with a prefix, since their ids may equal those of companies. */
const keyOf = (id: number, field: string) => (field.endsWith('.department_ids') ? `department:${id}` : String(id));

/** Formats a value of any type; `field` is the path of a part. */
function useFormatValue(names: Names): (value: unknown, field: string) => string {
  const t = useTranslations('auditLog');
  const labels = useAuditLabels();
  const format = useFormatter();
  const written = useWrittenRoles();
  const formatValue = (value: unknown, field: string): string => {
    if (value === null || value === undefined || value === '') return '–';
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    if (typeof value === 'number') return names ? (names[keyOf(value, field)] ?? t('beyond')) : format.number(value);
    if (Array.isArray(value))
      return value.length === 0 ? '–' : format.list(value.map((one: unknown) => formatValue(one, field)));
    if (typeof value === 'object') {
      const parts = Object.entries(value).filter(([, one]) => one !== null);
      return parts.map(([name, one]) => `${labels.field(name)}: ${formatValue(one, `${field}.${name}`)}`).join(' · ');
    }
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    // in a signature, the field holds the signer's part
    const role = rolesOf.has(field.slice(field.lastIndexOf('.') + 1)) ? written(text) : text;
    if (role !== text) return role;
    return t.has(`value.${text as 'active'}`) ? t(`value.${text as 'active'}`) : text;
  };
  return formatValue;
}
