import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { DB } from '../server/src/db/schema.ts';
import { plainItem } from '../server/src/features/kpi-templates/rules.ts';
import type { Item } from '../server/src/features/kpi-templates/rules.ts';
import { insertTemplate } from '../server/src/features/kpi-templates/write.ts';

/** The measures of the people in the demo. */

type Sketch = Partial<Item> & Pick<Item, 'name' | 'weight'>;
export type DemoTemplate = {
  name: string;
  /** The code of its company; null for all companies. */
  entity: string | null;
  description: string;
  job_title?: string;
  scale_words?: string[];
  items: Sketch[];
};

const measured = (direction: Item['direction'], fields: Partial<Item>): Partial<Item> => ({
  item_type: 'measured',
  direction,
  cap_pct: 120,
  ...fields,
});

const scaleWords = ['Well below target', 'Below target', 'On target', 'Above target', 'Outstanding'];

export const demoTemplates: DemoTemplate[] = [
  {
    name: 'Sales',
    entity: 'NWR',
    description: 'For everyone with a sales target of their own. Figures come from the order system on the last day.',
    job_title: 'Account Executive',
    scale_words: scaleWords,
    items: [
      {
        name: 'Net revenue',
        weight: 40,
        description: 'Invoiced in the period, returns deducted.',
        ...measured('higher_better', { target_value: 250_000, unit: 'EUR' }),
      },
      {
        name: 'New customers',
        weight: 20,
        description: 'First order of at least 500 EUR.',
        ...measured('higher_better', { target_value: 12, unit: 'customers' }),
      },
      {
        name: 'Discount given',
        weight: 15,
        description: 'Average discount on list prices.',
        ...measured('lower_better', { target_value: 8, baseline_value: 15, unit: '%' }),
      },
      { name: 'Forecast and records', weight: 10, description: 'Opportunities are up to date every Friday.' },
      { name: 'Advice to customers', weight: 15, description: 'Listens, recommends what fits, keeps promises.' },
    ],
  },
  {
    name: 'Engineering',
    entity: 'NWH',
    description: 'For people who build and run our software.',
    job_title: 'Software Engineer',
    items: [
      {
        name: 'Delivery',
        weight: 30,
        description: 'What was agreed for the quarter is in use.',
        evidence_required: true,
      },
      {
        name: 'Availability of own services',
        weight: 20,
        ...measured('higher_better', { target_value: 99.9, baseline_value: 99, unit: '%' }),
      },
      {
        name: 'Time to restore',
        weight: 15,
        description: 'Median over all incidents of the team.',
        ...measured('lower_better', { target_value: 45, baseline_value: 120, unit: 'minutes' }),
      },
      { name: 'Quality of changes', weight: 20, description: 'Reviewed, tested, easy to read for others.' },
      { name: 'Helping others grow', weight: 15, description: 'Reviews, pairing, talks, onboarding.' },
    ],
  },
  {
    name: 'Operations',
    entity: 'NWL',
    description: 'For warehouse, fleet and planning. Safety comes first and is part of every result.',
    items: [
      {
        name: 'Deliveries on time',
        weight: 30,
        ...measured('higher_better', { target_value: 97.5, baseline_value: 90, unit: '%' }),
      },
      {
        name: 'Cost per parcel',
        weight: 20,
        ...measured('target', { target_value: 3.2, tolerance_pct: 3, unit: 'EUR' }),
      },
      {
        name: 'Reportable accidents',
        weight: 20,
        description: 'The target is none.',
        ...measured('lower_better', { target_value: 0, unit: 'accidents' }),
      },
      { name: 'Safety training completed', weight: 10, evidence_required: true, ...measured('boolean', {}) },
      { name: 'Care for goods and equipment', weight: 10 },
      { name: 'Teamwork across shifts', weight: 10 },
    ],
  },
  {
    name: 'Shared services',
    entity: null,
    description: 'For finance, people, legal and everyone else who serves all companies.',
    items: [
      { name: 'Quality of work', weight: 33.34, description: 'Correct, complete, understandable.' },
      {
        name: 'Requests answered in two days',
        weight: 33.33,
        ...measured('higher_better', { target_value: 95, unit: '%' }),
      },
      { name: 'Working with others', weight: 33.33, description: 'Asks early, shares knowledge, keeps agreements.' },
    ],
  },
];

/** The items of a template in full. */
export const itemsOf = ({ items }: DemoTemplate): Item[] =>
  items.map((item, index) => ({ ...plainItem, sort_order: index + 1, ...item }));

/** Adds the templates of the demo. @returns their ids by name */
export async function insertDemoTemplates(db: Transaction<DB>): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: number; code: string }>`select id, code from entities`.execute(db);
  const entities = new Map(rows.map(({ id, code }) => [code, id]));
  const ids = new Map<string, number>();
  for (const template of demoTemplates) {
    const { name, description, job_title = null, entity, scale_words = null } = template;
    const entity_id = entity === null ? null : (entities.get(entity) ?? null);
    const fields = { name, description, job_title, entity_id, scale_words };
    ids.set(name, await insertTemplate({ db, actor: null }, fields, itemsOf(template)));
  }
  return ids;
}
