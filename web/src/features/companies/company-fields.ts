import { entityFormOrder, entityRows, type entities, type EntityRow } from '@tenure/contract';
import type { Input } from '../../api/call.ts';
import { textOf, valueOf, type Row } from '../../ui/row-values.ts';
import type { Texts } from '../../ui/versions.ts';

export type CompanyField = (typeof entityFormOrder)[number];

/** The fields of a company, in the order of its form and page. */
export const companyFields = entityFormOrder;
export const rowOf = (name: CompanyField): Row => entityRows[name];

/** The fields by lines of the form; consecutive fields of partial width share a line. */
export const companyLines: CompanyField[][] = [];
for (const name of companyFields) {
  const last = companyLines.at(-1);
  const { width } = rowOf(name);
  if (last?.[0] && width && rowOf(last[0]).width === width && last.length < (width === 'half' ? 2 : 3)) last.push(name);
  else companyLines.push([name]);
}

export const primaryFields = companyFields.filter((name) => rowOf(name).primary);

function beginning(name: CompanyField): string {
  const { kind, begins } = rowOf(name);
  if (kind === 'language') return document.documentElement.lang;
  return kind === 'timeZone' ? new Intl.DateTimeFormat().resolvedOptions().timeZone : textOf(begins ?? '');
}

/** The initial form values of a new company. */
export const newCompany = (names: readonly CompanyField[] = companyFields): Texts =>
  Object.fromEntries(names.map((name) => [name, beginning(name)]));

export const companyTexts = (company: EntityRow): Texts =>
  Object.fromEntries(companyFields.map((name) => [name, textOf(company[name])]));

/** The changed fields as a request body; an empty field is null where the contract allows it. */
export const companyBody = (changed: Texts): Partial<Input<typeof entities.update>['body']> =>
  Object.fromEntries(
    Object.entries(changed).map(([name, text]) => [name, valueOf(rowOf(name as CompanyField), text.trim())]),
  );
