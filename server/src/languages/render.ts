import { isText } from '@tenure/contract';
import type { Parameter, Text } from '@tenure/contract';
import { IntlMessageFormat } from 'intl-messageformat';
import type { Catalogue } from './catalogue.ts';

/** A parsed message, with the words around its placeholders, and their names. */
type Read = { message: IntlMessageFormat; words: string; places: readonly string[] };

/** A language's renderer. */
export type Voice = { say: (text: Text) => string; read: (key: string) => Read };

type Elements = ReturnType<IntlMessageFormat['getAst']>;
const literal: Elements[number]['type'] = 0;
const isLiteral = ({ type }: Elements[number]) => type === literal;

/** The elements of a message, including those of each plural form. */
const allOf = (elements: Elements): Elements =>
  elements.flatMap((one) =>
    'options' in one ? [one, ...Object.values(one.options).flatMap(({ value }) => allOf(value))] : [one],
  );

function readMessage(message: IntlMessageFormat): Read {
  const elements = allOf(message.getAst());
  return {
    message,
    words: elements.map((one) => (isLiteral(one) && 'value' in one ? one.value : ' ')).join(''),
    places: [...new Set(elements.flatMap((one) => (!isLiteral(one) && 'value' in one ? [one.value] : [])))],
  };
}

const formats = {
  number: {
    plain: { useGrouping: false, maximumFractionDigits: 20 },
    hundredths: { useGrouping: false, minimumFractionDigits: 2, maximumFractionDigits: 2 },
  },
  date: { day: { dateStyle: 'medium', timeZone: 'UTC' } },
} as const;

/** A day, shown as `YYYY-MM-DD` unless the message formats it. */
class Day extends Date {
  override toString = () => this.toISOString().slice(0, 10);
}

/** `DD.MM.YYYY` with a language's letters. */
const dateFormat = ({ dates: { day, month, year } }: Catalogue, format: string) =>
  format.replace('YYYY', year).replace('MM', month).replace('DD', day).toUpperCase();

type Fill = (key: string, values: Record<string, string | number>) => string;

/** The field of a request as messages name it: `items.1.score` is "item 2 score", counted from 1. */
function fieldName(fields: Catalogue['fields'], fill: Fill, field: string): string {
  const whole = fields.get(field);
  if (whole !== undefined) return whole;
  const [first = '', second, ...deeper] = field.split('.');
  if (second === undefined) return field.replaceAll('_', ' ');
  const nameOf = (rest: readonly string[]) => fieldName(fields, fill, rest.join('.'));
  if (!/^\d+$/.test(second))
    return fill('formats.group_field', { group: nameOf([first]), field: nameOf([second, ...deeper]) });
  const entry = { item: fields.get(`${first}.*`) ?? nameOf([first]), row: Number(second) + 1 };
  const isEntry = deeper.length === 0 || (deeper.length === 1 && deeper[0] === 'id');
  return isEntry ? fill('formats.list_item', entry) : fill('formats.list_field', { ...entry, field: nameOf(deeper) });
}

/** A language's renderer; parses each message once, when it is first used. */
export function voiceOf(catalogue: Catalogue): Voice {
  const { messages, locale } = catalogue;
  const known = new Map<string, Read>();
  const lists = new Intl.ListFormat(locale);

  function read(key: string): Read {
    const found = known.get(key);
    if (found) return found;
    const message = messages.get(key);
    if (message === undefined) throw new Error(`No message ${key} in ${catalogue.id}`);
    const made = readMessage(new IntlMessageFormat(message, locale, formats, { ignoreTag: true }));
    known.set(key, made);
    return made;
  }

  function fill(key: string, values: Record<string, string | number | Day>): string {
    const { message, words, places } = read(key);
    return places.length === 0 ? words : [message.format(values)].flat().join('');
  }

  /** The value for a placeholder; `attribute` is the field a message is about, which the message itself sets off. */
  function valueOf(parameter: Parameter, name: string): string | number {
    if (typeof parameter !== 'object') return parameter;
    if (isText(parameter)) return say(parameter);
    if ('day' in parameter) return fill('formats.day', { day: new Day(parameter.day) });
    if ('date' in parameter) return fill('formats.date', { day: new Day(parameter.date) });
    if ('choices' in parameter) {
      const names = catalogue.choices[parameter.of];
      return parameter.choices.map((choice) => names?.[choice] ?? choice.replaceAll('_', ' ')).join(', ');
    }
    if ('date_format' in parameter) return dateFormat(catalogue, parameter.date_format);
    if ('list' in parameter) return lists.format(parameter.list.map((one) => String(valueOf(one, name))));
    const field = fieldName(catalogue.fields, fill, parameter.field);
    return name === 'attribute' ? field : fill('formats.field', { field });
  }

  const say: Voice['say'] = ({ key, parameters }) =>
    fill(
      key,
      Object.fromEntries(Object.entries(parameters ?? {}).map(([name, value]) => [name, valueOf(value, name)])),
    );
  return { say, read };
}
