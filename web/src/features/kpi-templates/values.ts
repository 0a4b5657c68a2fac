import { randomId } from '@mantine/hooks';
import type { KpiTemplate, KpiTemplateItem, kpiTemplates } from '@tenure/contract';
import type { Input } from '../../api/call.ts';
import type { Texts } from '../../ui/versions.ts';
import { sentNumber, writeNumber, type DecimalSign } from '../../ui/numbers.ts';

const itemTexts = [
  'name',
  'description',
  'weight',
  'item_type',
  'direction',
  'unit',
  'target_value',
  'baseline_value',
  'tolerance_pct',
  'cap_pct',
] as const;
type ItemText = (typeof itemTexts)[number];

export type ItemValues = Record<ItemText, string> & {
  /** The React key of an item; it stays when the item moves. */
  key: string;
  /** Null for a new item. */
  id: number | null;
  evidence_required: boolean;
  prorate: boolean;
};

export const templateTexts = [
  'name',
  'description',
  'entity_id',
  'job_title',
  'grade',
  'scale_min',
  'scale_max',
  'score_step',
  'scale_words',
] as const;
type TemplateText = (typeof templateTexts)[number];

/** The form values of a template; numbers are texts in the user's format, and each word is on the line of its score. */
export type TemplateValues = Record<TemplateText, string> & { items: ItemValues[] };

export const newItem = (): ItemValues => ({
  key: randomId('n'),
  id: null,
  name: '',
  description: '',
  weight: '',
  item_type: 'rating',
  direction: '',
  unit: '',
  target_value: '',
  baseline_value: '',
  tolerance_pct: '',
  cap_pct: '',
  evidence_required: false,
  prorate: false,
});

export const newTemplate = (): TemplateValues => ({
  name: '',
  description: '',
  entity_id: '',
  job_title: '',
  grade: '',
  scale_min: '1',
  scale_max: '5',
  score_step: '1',
  scale_words: '',
  items: [],
});

function itemValues(item: KpiTemplateItem, sign: DecimalSign): ItemValues {
  const textOf = (name: ItemText) => {
    const value = item[name];
    return typeof value === 'number' ? writeNumber(value, sign) : (value ?? '');
  };
  const texts = Object.fromEntries(itemTexts.map((name) => [name, textOf(name)])) as Record<ItemText, string>;
  return {
    ...texts,
    key: `i${item.id}`,
    id: item.id,
    evidence_required: item.evidence_required,
    prorate: item.prorate,
  };
}

export const templateValues = (template: KpiTemplate, sign: DecimalSign): TemplateValues => ({
  ...(Object.fromEntries(templateTexts.map((name) => [name, String(template[name] ?? '')])) as Record<
    TemplateText,
    string
  >),
  scale_words: template.scale_words
    ? emptyLines()
        .toSpliced(template.scale_min, template.scale_words.length, ...template.scale_words)
        .join('\n')
    : '',
  items: template.items.map((item) => itemValues(item, sign)),
});

const emptyLines = () => Array.from({ length: 11 }, () => '');

/** The word of each whole score of the scale that is set; blank for none. */
export function wordsOf({ scale_min, scale_max, scale_words }: Omit<TemplateValues, 'items'>): string[] {
  const lines = [...scale_words.split('\n'), ...emptyLines()];
  return lines.slice(Number(scale_min), Number(scale_max) + 1);
}

/** The fields of a measured item that its direction uses. */
export const measuresOf = (direction: string): readonly ItemText[] => {
  if (direction === 'boolean') return [];
  const common = ['unit', 'target_value', 'baseline_value'] as const;
  return direction === 'target' ? [...common, 'tolerance_pct'] : [...common, 'cap_pct'];
};

function itemBody(item: ItemValues, sign: DecimalSign): Record<string, unknown> {
  const { id, name, description, weight, item_type, direction, evidence_required } = item;
  const kind = item_type === 'measured' ? { direction: direction || null, ...measuresSent(item, sign) } : {};
  return {
    ...(id !== null && { id }),
    name: name.trim(),
    description: description.trim() || null,
    weight: sentNumber(weight, sign),
    evidence_required,
    item_type,
    ...kind,
  };
}

function measuresSent(item: ItemValues, sign: DecimalSign): Record<string, unknown> {
  const meant = measuresOf(item.direction);
  const numbers = (['target_value', 'baseline_value', 'tolerance_pct', 'cap_pct'] as const).map((name) => [
    name,
    meant.includes(name) ? sentNumber(item[name], sign) : null,
  ]);
  return {
    unit: meant.includes('unit') ? item.unit.trim() || null : null,
    ...Object.fromEntries(numbers),
    prorate: item.prorate && meant.includes('target_value'),
  };
}

/** The key of an item when two versions are compared: by its record id, or its React key. */
const itemName = ({ id, key }: Pick<ItemValues, 'id' | 'key'>) => `item.${id ?? key}`;

/** A template as flat texts, to compare two versions. An item is one text, and so is the order. */
export function textsOf(values: TemplateValues): Texts {
  const { items, ...fields } = values;
  const itemEntries = items.map((item) => {
    const texts = itemTexts.map((name) => item[name].trim());
    return [itemName(item), JSON.stringify([...texts, item.evidence_required, item.prorate])];
  });
  const trimmed = templateTexts.map((name) => [name, fields[name].trim()]);
  const words = wordsOf(fields).some((word) => word.trim()) ? fields.scale_words : '';
  return {
    ...Object.fromEntries(trimmed),
    scale_words: words,
    ...Object.fromEntries(itemEntries),
    order: items.map(itemName).join(' '),
  };
}

/** Parses an item from a text of `textsOf`. */
export function itemOfText(name: string, text: string): ItemValues {
  const parts = JSON.parse(text) as (string | boolean)[];
  const key = name.slice('item.'.length);
  const id = /^\d+$/.test(key) ? Number(key) : null;
  const texts = Object.fromEntries(itemTexts.map((field, index) => [field, String(parts[index] ?? '')]));
  return {
    ...(texts as Record<ItemText, string>),
    key: id === null ? key : `i${id}`,
    id,
    evidence_required: parts.at(-2) === true,
    prorate: parts.at(-1) === true,
  };
}

/** The form values of flat texts. Items that are not in the order come last. */
export function valuesOf(texts: Texts): TemplateValues {
  const there = Object.keys(texts).filter((name) => name.startsWith('item.') && texts[name] !== '');
  const order = (texts['order'] ?? '').split(' ').filter((name) => there.includes(name));
  const placed = [...order, ...there.filter((name) => !order.includes(name))];
  return {
    ...(Object.fromEntries(templateTexts.map((name) => [name, texts[name] ?? ''])) as Record<TemplateText, string>),
    items: placed.map((name) => itemOfText(name, texts[name] ?? '')),
  };
}

/** The names of texts that differ in meaning, not only in notation. */
export function changedNames(before: Texts, now: Texts): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => (before[name] ?? '') !== (now[name] ?? ''));
}

const sentWords = (values: TemplateValues) => {
  const words = wordsOf(values).map((word) => word.trim() || null);
  return words.some((word) => word !== null) ? words : null;
};

type Body = Partial<Input<typeof kpiTemplates.update>['body']>;

/** The changed fields as a request body; items are sent together. */
export function bodyOf(values: TemplateValues, changed: readonly string[], sign: DecimalSign): Body {
  // a changed range of scores changes the words that are sent
  const touchesScale = changed.some((name) => name.startsWith('scale_'));
  const fields = templateTexts.filter((name) => changed.includes(name) || (name === 'scale_words' && touchesScale));
  const valueOf = (name: TemplateText) => {
    if (name === 'scale_words') return sentWords(values);
    const text = values[name].trim();
    if (name === 'name' || name.startsWith('sc')) return text;
    if (text === '') return null;
    return name === 'entity_id' ? Number(text) : text;
  };
  const touchesItems = changed.some((name) => name === 'order' || name.startsWith('item.'));
  return {
    ...Object.fromEntries(fields.map((name) => [name, valueOf(name)])),
    ...(touchesItems && { items: values.items.map((item) => itemBody(item, sign)) }),
  };
}
