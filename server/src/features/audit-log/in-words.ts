import { text } from '@tenure/contract';
import type { AuditEntry, Text } from '@tenure/contract';
import type { LanguageId } from '../../languages/catalogue.ts';
import { auditWordsIn, localeOf, render } from '../../languages/languages.ts';
import { roleNameIn } from '../../languages/role-name.ts';

/** An entry in a language, with the words of the page *Audit log* in the browser application. */

type Change = AuditEntry['changes'][string];
type Names = Readonly<Record<string, string>> | undefined;

const tongueOf = (language: LanguageId) => ({
  language,
  words: auditWordsIn(language),
  list: new Intl.ListFormat(localeOf(language)),
  number: new Intl.NumberFormat(localeOf(language), { useGrouping: false, maximumFractionDigits: 20 }),
  month: new Intl.DateTimeFormat(localeOf(language), { year: 'numeric', month: 'long', timeZone: 'UTC' }),
  say: (message: Text) => render(language, message),
});
type Tongue = ReturnType<typeof tongueOf>;

/** `employment_type` as words, for fields without a label. */
const spaced = (name: string) => name.replaceAll(/[_-]/g, ' ');
const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

function fieldIn({ words: { labels, field } }: Tongue, name: string, record = 'employee'): string {
  const own = record === 'entity' || record === 'department' ? labels[record]?.[name] : undefined;
  return own ?? labels['employee']?.[name] ?? field[name] ?? spaced(name);
}

/** The fields that contain role names. */
const rolesOf: ReadonlySet<string> = new Set(['role', 'roles']);

function ofText({ language, words, list, say }: Tongue, value: string, field: string): string {
  if (value === '[hidden]') return say(text('exports.audit.hidden'));
  // the same field also contains the role of a signer
  const roles = rolesOf.has(field) ? list.format(value.split('|').map((one) => roleNameIn(language, one))) : value;
  return roles === value ? (words.value[value] ?? value) : roles;
}

function ofNumber({ number, say }: Tongue, value: number, field: string, names: Names): string {
  if (!names) return number.format(value);
  const department = field === 'department_ids' ? names[`department:${value}`] : undefined;
  return department ?? names[String(value)] ?? say(text('exports.audit.beyond'));
}

function valueIn(tongue: Tongue, value: unknown, field: string, names: Names): string {
  const { list, say } = tongue;
  if (isEmpty(value) || (Array.isArray(value) && value.length === 0)) return say(text('exports.audit.nothing'));
  if (typeof value === 'boolean') return say(text(value ? 'exports.yes' : 'exports.no'));
  if (typeof value === 'number') return ofNumber(tongue, value, field, names);
  if (Array.isArray(value)) return list.format(value.map((one: unknown) => valueIn(tongue, one, field, names)));
  if (typeof value === 'string') return ofText(tongue, value, field);
  // JSON has no other types
  return Object.entries(value as object)
    .filter(([, one]) => one !== null)
    .map(([name, one]) => `${fieldIn(tongue, name)}: ${valueIn(tongue, one, name, names)}`)
    .join(' · ');
}

const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The added and removed permissions, instead of two long lists. */
function permissionsIn({ words, say }: Tongue, { from, to }: Change): string {
  const label = (name: string) => {
    const [group = '', verb = ''] = name.split('.');
    return words.permission[group]?.[verb] ?? name;
  };
  const [before, after] = [namesIn(from), namesIn(to)];
  const beyond = (these: string[], those: string[]) => these.filter((one) => !those.includes(one)).map(label);
  const [given, taken] = [beyond(after, before), beyond(before, after)];
  return [
    ...(given.length > 0 ? [say(text('exports.audit.given', { list: { list: given } }))] : []),
    ...(taken.length > 0 ? [say(text('exports.audit.taken', { list: { list: taken } }))] : []),
  ].join(' ');
}

function changeIn(tongue: Tongue, field: string, { from, to }: Change, names: Names): string {
  if (field === 'permissions') return permissionsIn(tongue, { from, to });
  const after = valueIn(tongue, to, field, names);
  return isEmpty(from) ? after : `${valueIn(tongue, from, field, names)} → ${after}`;
}

/** A probation review and its signatures, as the log stores them. */
const probation = /^(.+), probation until (\d{4}-\d{2}-\d{2})$/s;
const ofProbation: ReadonlySet<string> = new Set(['probation_review', 'probation_signature']);

function subjectIn(tongue: Tongue, type: string, label: string): string {
  if (type === 'role') return roleNameIn(tongue.language, label);
  if (type === 'letter_template') return tongue.words.value[label] ?? label;
  // the list is named after its file
  if (type === 'export') return tongue.words.value[label.replaceAll('-', '_')] ?? label;
  if (type === 'audit_log' && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(label))
    return tongue.month.format(new Date(`${label}-01T00:00:00Z`));
  const [, name, day] = (ofProbation.has(type) && probation.exec(label)) || [];
  return name && day ? tongue.say(text('exports.audit.probation_until', { name, day: { day } })) : label;
}

/** The parts of an entry in words. */
export function wordsOf(language: LanguageId) {
  const tongue = tongueOf(language);
  const { words, say } = tongue;
  return {
    actor: ({ actor }: AuditEntry) => (actor.user_id === null ? say(text('exports.audit.system')) : actor.name),
    action: ({ action }: AuditEntry) => {
      const verb = action.slice(action.indexOf('.') + 1);
      return words.verb[verb] ?? spaced(verb);
    },
    subjectType: ({ subject_type: type }: AuditEntry) => words.subject[type] ?? spaced(type),
    subject: ({ subject_type: type, subject_label: label }: AuditEntry) => label && subjectIn(tongue, type, label),
    changes: ({ changes, labels, subject_type: type }: AuditEntry) =>
      Object.entries(changes)
        .filter(([, { from, to }]) => !isEmpty(from) || !isEmpty(to))
        .map(([field, change]) => `${fieldIn(tongue, field, type)}: ${changeIn(tongue, field, change, labels[field])}`)
        .join('; '),
  };
}
