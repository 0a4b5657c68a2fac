import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Everything the service says in one language, as its folder in `contract/locales` holds it. */
export type Catalogue = {
  id: string;
  /** For lists, numbers and days. */
  locale: string;
  /** Whether the field of a record in a list is named by labels, or as it was sent: `items.0.weight`. */
  nestedFields: 'labels' | 'as_sent';
  /** By `area.name`. */
  messages: ReadonlyMap<string, string>;
  /** Names of fields in messages, by the name of the field. */
  fields: ReadonlyMap<string, string>;
};

const here = dirname(dirname(fileURLToPath(import.meta.resolve('@tenure/contract/locales/en/language.json'))));

const readJson = <T>(...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8')) as T;
type Entries = Record<string, string>;

/** A label inside a sentence: with a small letter where English has one, but for abbreviations. */
const inSentence = (label: string, id: string) =>
  id === 'en' && !/^\p{Lu}{2}/u.test(label) ? `${label.charAt(0).toLowerCase()}${label.slice(1)}` : label;

/** The labels of fields, and over them the names of what is no field of a record or reads badly in a sentence. */
function fieldNames(folder: string, id: string): Map<string, string> {
  const { fields } = readJson<{ fields: Record<string, Entries> }>(folder, 'fields.json');
  const labels = Object.values(fields).flatMap((record) => Object.entries(record));
  const names = readJson<Entries>(folder, 'messages', 'attributes.json');
  return new Map([...labels.map(([name, label]) => [name, inSentence(label, id)] as const), ...Object.entries(names)]);
}

function readCatalogue(folder: string): Catalogue {
  const id = basename(folder);
  const { locale, nested_fields } = readJson<{ locale: string; nested_fields: Catalogue['nestedFields'] }>(
    folder,
    'language.json',
  );
  const messages = readdirSync(join(folder, 'messages')).flatMap((file) => {
    const area = file.replace('.json', '').replaceAll('-', '_');
    const entries = Object.entries(readJson<Entries>(folder, 'messages', file));
    return entries.map(([name, message]) => [`${area}.${name}`, message] as const);
  });
  return { id, locale, nestedFields: nested_fields, messages: new Map(messages), fields: fieldNames(folder, id) };
}

/** The languages of a folder that has a folder for each; English comes first. */
export function readCatalogues(folder: string = here): Map<string, Catalogue> {
  const ids = readdirSync(folder).sort((a, b) => Number(b === 'en') - Number(a === 'en') || (a < b ? -1 : 1));
  return new Map(ids.map((id) => [id, readCatalogue(join(folder, id))]));
}
