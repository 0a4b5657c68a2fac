import { employeeFieldGroups, employeeFormOrder, employeeRows } from '@tenure/contract';
import type { Employee, FieldRow } from '@tenure/contract';
import type { Letterhead } from '../../../brand/read.ts';
import type { LanguageId } from '../../../languages/catalogue.ts';
import { labelIn } from '../../../languages/languages.ts';
import type { Issuer } from '../../../pdf/issuer.ts';
import { letterheadParts } from '../../../pdf/letterhead.ts';
import type { Block, Sheet } from '../../../pdf/sheet.ts';
import { descriptionsOf, isolated, pageFooter } from '../../../pdf/wording.ts';
import type { Words } from '../../../pdf/wording.ts';

type Printed = {
  employee: Employee;
  issuer: Issuer;
  letterhead: Letterhead;
  language: LanguageId;
  words: Words;
  reader: string;
};

const sections = ['work', 'contact', 'employment', 'name'] as const;
const open: ReadonlySet<string> = new Set([...employeeFieldGroups.card, ...employeeFieldGroups.work]);

type Name = keyof typeof employeeRows & keyof Employee;
const isPrinted = (name: string): name is Name => name in employeeRows && open.has(name);
/** The fields without the private ones, which no document contains. */
const printed = employeeFormOrder.filter(isPrinted);

function valueOf({ employee, words: { say, day } }: Printed, name: Name): string | null {
  switch (name) {
    case 'entity_id':
      return employee.entity.name;
    case 'department_id':
      return employee.department.name;
    case 'reporting_manager_id':
      return employee.reporting_manager?.name ?? null;
    case 'activity_status':
      return say(`profile_pdf.activity_status.${employee.activity_status}`);
    case 'employment_lifecycle':
      return employee.employment_lifecycle
        ? say(`profile_pdf.employment_lifecycle.${employee.employment_lifecycle}`)
        : null;
    case 'employment_type':
      return employee.employment_type ? say(`profile_pdf.employment_type.${employee.employment_type}`) : null;
    default: {
      const value = employee[name];
      if (value === true) return say('profile_pdf.yes');
      if (typeof value !== 'string' || value === '') return null;
      return (employeeRows[name] as FieldRow & { kind?: string }).kind === 'day' ? day(value) : isolated(value);
    }
  }
}

/** The fields of a section that the reader sees and that have a value. */
function section(of: Printed, title: (typeof sections)[number]): Block[] {
  const rows = printed
    .filter((name) => (employeeRows[name] as { section?: string }).section === title)
    .map((name) => [labelIn(of.language, 'employee', name), valueOf(of, name)] as const)
    .filter(([, value]) => value !== null);
  if (rows.length === 0) return [];
  return [{ kind: 'heading', text: of.words.say(`profile_pdf.sections.${title}`) }, descriptionsOf(rows)];
}

/** The document of a person, with the fields that its reader sees. */
export function composeProfile(of: Printed): Sheet {
  const { employee, issuer, letterhead, language, words, reader } = of;
  const { say, moment } = words;
  const job = [employee.job_title, employee.department.name, employee.entity.name].filter(Boolean).join(' · ');
  return {
    title: say('profile_pdf.title'),
    author: issuer.company,
    language,
    country: issuer.country,
    ...letterheadParts(letterhead),
    footer: pageFooter(words, employee.display_name),
    blocks: [
      { kind: 'title', text: employee.display_name },
      { kind: 'text', text: job },
      ...sections.flatMap((title) => section(of, title)),
      { kind: 'note', text: say('profile_pdf.printed', { name: isolated(reader), at: moment(issuer.now) }) },
    ],
  };
}
