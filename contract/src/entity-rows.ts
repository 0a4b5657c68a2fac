import * as z from 'zod';
import { field, inOrder, namesWhere } from './field-kit.ts';

export const activity = ['active', 'inactive'] as const;

/** Names and lower limits, in percent, of the bands that new KPI cycles start with. */
const bandName = (begins: string) =>
  field.text({ max: 40, min: 1, filledIn: true, begins, section: 'kpi', width: 'half' });
const bandFrom = (begins: number) =>
  field.integer({ min: 1, max: 100, filledIn: true, begins, section: 'kpi', width: 'half' });

/** Every field of a company. */
export const entityRows = {
  name: field.text({
    max: 150,
    min: 2,
    required: true,
    primary: true,
    export: true,
    sort: true,
    search: true,
    section: 'registered',
  }),
  code: field.code({
    max: 10,
    min: 2,
    made: true,
    primary: true,
    export: true,
    sort: true,
    search: true,
    section: 'registered',
  }),
  status: field.choice(activity, { filledIn: true, begins: 'active', export: true, sort: true, filter: true }),
  description: field.longText({ max: 2_000, section: 'registered' }),
  registration_number: field.text({ max: 50, search: true, section: 'registered', width: 'half' }),
  tax_number: field.text({ max: 50, section: 'registered', width: 'half' }),
  address: field.text({ max: 500, section: 'registered' }),
  country: field.country({ primary: true, export: true, section: 'registered', width: 'half' }),
  timezone: field.timeZone({
    filledIn: true,
    begins: 'UTC',
    primary: true,
    export: true,
    section: 'registered',
    width: 'half',
  }),
  /** The language of new accounts, and so of the first mails. */
  locale: field.language({ filledIn: true, begins: 'en', primary: true, section: 'registered', width: 'half' }),
  probation_months: field.integer({
    min: 0,
    max: 24,
    unit: 'months',
    filledIn: true,
    begins: 3,
    section: 'probation',
    width: 'third',
  }),
  probation_lead_days: field.integer({
    min: 1,
    max: 180,
    unit: 'days',
    filledIn: true,
    begins: 30,
    section: 'probation',
    width: 'third',
  }),
  probation_max_extensions: field.integer({
    min: 0,
    max: 5,
    filledIn: true,
    begins: 1,
    section: 'probation',
    width: 'third',
  }),
  probation_day_30_review: field.flag({ filledIn: true, begins: false, section: 'probation', width: 'half' }),
  probation_midpoint_review: field.flag({ filledIn: true, begins: false, section: 'probation', width: 'half' }),
  kpi_band_a_name: bandName('A'),
  kpi_band_a_from: bandFrom(90),
  kpi_band_b_name: bandName('B'),
  kpi_band_b_from: bandFrom(80),
  kpi_band_c_name: bandName('C'),
  kpi_band_c_from: bandFrom(60),
  kpi_band_d_name: bandName('D'),
  departments_count: field.computed(z.int(), { export: true }),
  employees_count: field.computed(z.int(), { export: true, sort: true }),
};

/** The fields of the form; fields not listed here follow in row order. */
export const entityFormOrder = inOrder(namesWhere(entityRows, 'section'), [
  'name',
  'code',
  'country',
  'timezone',
  'locale',
  'address',
  'registration_number',
  'tax_number',
  'description',
]);

/** Fields with a column in an export. */
export const entityExportOrder = namesWhere(entityRows, 'export');
