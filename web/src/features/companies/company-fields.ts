import { entityFormOrder, entityRows, type entities, type EntityRow, type FieldRow } from '@tenure/contract';
import type { Input } from '../../api/call.ts';
import type { Texts } from '../../ui/versions.ts';

export type CompanyField = (typeof entityFormOrder)[number];
type Row = FieldRow & { max?: number; unit?: 'months' | 'days' };

/** The fields of a company. Its form and its page are made from them. */
export const companyFields = entityFormOrder;
export const rowOf = (name: CompanyField): Row => entityRows[name];

/** The fields of the form by lines: those that take a part of one stand together. */
export const companyLines: CompanyField[][] = [];
for (const name of companyFields) {
  const last = companyLines.at(-1);
  const { width } = rowOf(name);
  if (last?.[0] && width && rowOf(last[0]).width === width && last.length < (width === 'half' ? 2 : 3)) last.push(name);
  else companyLines.push([name]);
}

/** The least a new company needs. */
export const primaryFields = companyFields.filter((name) => rowOf(name).primary);

function beginning(name: CompanyField): string {
  const { kind, begins } = rowOf(name);
  return kind === 'timeZone' ? new Intl.DateTimeFormat().resolvedOptions().timeZone : String(begins ?? '');
}

/** What a form of these fields begins with for a new company. */
export const newCompany = (names: readonly CompanyField[] = companyFields): Texts =>
  Object.fromEntries(names.map((name) => [name, beginning(name)]));

export const companyTexts = (company: EntityRow): Texts =>
  Object.fromEntries(companyFields.map((name) => [name, String(company[name] ?? '')]));

function valueOf(name: CompanyField, text: string): string | number | null {
  const { kind, required, filledIn } = rowOf(name);
  if (text === '' && !required && !filledIn) return null;
  // What is no number goes as it is: the service says so at the field.
  if (kind === 'integer') return /^\d+$/.test(text) ? Number(text) : text;
  return kind === 'code' || kind === 'country' ? text.toUpperCase() : text;
}

/** The changed fields as the service takes them: empty is null where nothing may stand there. */
export const companyBody = (changed: Texts): Partial<Input<typeof entities.update>['body']> =>
  Object.fromEntries(Object.entries(changed).map(([name, text]) => [name, valueOf(name as CompanyField, text.trim())]));
