import type { KpiTemplate, KpiTemplateItem } from '@tenure/contract';

export const templateItem = (fields: Partial<KpiTemplateItem> = {}): KpiTemplateItem => ({
  id: 11,
  name: 'Savings',
  description: null,
  weight: 60,
  sort_order: 1,
  evidence_required: false,
  item_type: 'rating',
  direction: null,
  unit: null,
  target_value: null,
  baseline_value: null,
  tolerance_pct: null,
  cap_pct: null,
  ...fields,
});

/** A template of a buyer with two items, 60 and 40 percent. */
export const template = (fields: Partial<KpiTemplate> = {}): KpiTemplate => ({
  id: 3,
  name: 'Buyer',
  description: null,
  entity_id: 1,
  entity: { id: 1, name: 'Acme Foods Ltd' },
  job_title: 'Buyer',
  grade: null,
  scale_min: 1,
  scale_max: 5,
  score_step: 1,
  scale_words: null,
  status: 'draft',
  version: 1,
  total_weight: 100,
  items_count: 2,
  usage: { draft_cycles: 0, published_cycles: 0 },
  revision: 1,
  created_at: '2026-01-05T08:00:00.000Z',
  updated_at: '2026-01-05T08:00:00.000Z',
  allowed_actions: ['update', 'activate', 'duplicate', 'delete', 'export'],
  items: [templateItem(), templateItem({ id: 12, name: 'Stock', weight: 40, sort_order: 2 })],
  ...fields,
});
