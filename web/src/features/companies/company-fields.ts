import type { entities, EntityRow } from '@tenure/contract';
import type { Input } from '../../api/call.ts';
import type { Texts } from '../../ui/versions.ts';

const textFields = [
  'name',
  'code',
  'country',
  'timezone',
  'address',
  'registration_number',
  'tax_number',
  'description',
] as const;
export const numberFields = ['probation_months', 'probation_lead_days', 'probation_max_extensions'] as const;
export const companyFields = [...textFields, ...numberFields] as const;
type CompanyField = (typeof companyFields)[number];

/** What the form of a new company begins with. */
export const newCompany = (): Texts => ({
  ...Object.fromEntries(companyFields.map((field) => [field, ''])),
  timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  probation_months: '3',
  probation_lead_days: '30',
  probation_max_extensions: '1',
});

export const companyTexts = (company: EntityRow): Texts =>
  Object.fromEntries(companyFields.map((field) => [field, String(company[field] ?? '')]));

const capitals = new Set<string>(['code', 'country']);
const numbers = new Set<string>(numberFields);
const required = new Set<string>(['name', 'timezone', ...numberFields]);

/** The changed fields as the service takes them: empty is null where nothing may stand there. */
export function companyBody(changed: Texts): Partial<Input<typeof entities.update>['body']> {
  const valueOf = (field: string, text: string) => {
    if (text === '' && !required.has(field)) return null;
    // What is no number goes as it is: the service says so at the field.
    if (numbers.has(field)) return /^\d+$/.test(text) ? Number(text) : text;
    return capitals.has(field) ? text.toUpperCase() : text;
  };
  return Object.fromEntries(
    Object.entries(changed).map(([field, text]) => [field as CompanyField, valueOf(field, text.trim())]),
  );
}
