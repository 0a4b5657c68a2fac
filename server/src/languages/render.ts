import { isText } from '@tenure/contract';
import type { Parameter, Text } from '@tenure/contract';
import { IntlMessageFormat } from 'intl-messageformat';
import type { Catalogue } from './catalogue.ts';

/** Makes a sentence of a text. */
export type Say = (text: Text) => string;

const formats = {
  number: {
    plain: { useGrouping: false, maximumFractionDigits: 20 },
    hundredths: { useGrouping: false, minimumFractionDigits: 2, maximumFractionDigits: 2 },
  },
  date: { day: { dateStyle: 'medium', timeZone: 'UTC' } },
} as const;

/** A day: as it is written in `YYYY-MM-DD` where a message does not format it. */
class Day extends Date {
  override toString = () => this.toISOString().slice(0, 10);
}

/** The field of a request as messages name it; a path into a list names its place as people count. */
function fieldName({ fields, nestedFields }: Catalogue, field: string): string {
  const whole = fields.get(field);
  if (whole !== undefined) return whole;
  if (!field.includes('.')) return field.replaceAll('_', ' ');
  if (nestedFields === 'as_sent') return field;
  const parts = field.split('.');
  return parts.map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : (fields.get(part) ?? part))).join(' ');
}

/** A language as a function that makes sentences of texts; each message is read once, when it is first said. */
export function sayIn(catalogue: Catalogue): Say {
  const { messages, locale } = catalogue;
  const read = new Map<string, IntlMessageFormat>();
  const lists = new Intl.ListFormat(locale);

  function messageOf(key: string): IntlMessageFormat {
    const known = read.get(key);
    if (known) return known;
    const message = messages.get(key);
    if (message === undefined) throw new Error(`No message ${key} in ${catalogue.id}`);
    const made = new IntlMessageFormat(message, locale, formats, { ignoreTag: true });
    read.set(key, made);
    return made;
  }

  const fill = (key: string, values: Record<string, string | number | Day>): string =>
    [messageOf(key).format(values)].flat().join('');

  /** What stands in a place; `attribute` is the field a message is about, which the message itself sets off. */
  function valueOf(parameter: Parameter, name: string): string | number {
    if (typeof parameter !== 'object') return parameter;
    if (isText(parameter)) return say(parameter);
    if ('day' in parameter) return fill('formats.day', { day: new Day(parameter.day) });
    if ('list' in parameter) return lists.format(parameter.list.map((one) => String(valueOf(one, name))));
    const field = fieldName(catalogue, parameter.field);
    return name === 'attribute' ? field : fill('formats.field', { field });
  }

  const say: Say = ({ key, parameters }) =>
    fill(
      key,
      Object.fromEntries(Object.entries(parameters ?? {}).map(([name, value]) => [name, valueOf(value, name)])),
    );
  return say;
}
