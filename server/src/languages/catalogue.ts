import { letterKinds } from '@tenure/contract';
import type { LetterKind } from '@tenure/contract';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The id of a language: the name of its folder, which is its BCP 47 subtag. */
export type LanguageId = string;

/** A letter with {{placeholders}}, as HR edits it. */
export type Letter = { title: string; body: string };

type Entries = Record<string, string>;

/** The words of the audit log, shared by its page and its file. */
export type AuditWords = {
  verb: Entries;
  field: Entries;
  /** By the type of the record. */
  subject: Entries;
  /** Labels of values in fixed lists. */
  value: Entries;
  /** By the group of a permission and its verb. */
  permission: Readonly<Record<string, Entries>>;
};

/** Everything the service says in one language, read from its folder in `contract/locales`. */
export type Catalogue = {
  id: LanguageId;
  /** For formatting lists, numbers and days. */
  locale: string;
  /** By `area.name`, with group names between the two. */
  messages: ReadonlyMap<string, string>;
  /** Field names in messages, by field; `items.*` names one entry of a list. */
  fields: ReadonlyMap<string, string>;
  /** Labels of each record's fields, as in forms. */
  labels: Readonly<Record<string, Entries>>;
  audit: AuditWords;
  /** Labels of a field's choices, by field. */
  choices: Readonly<Record<string, Entries>>;
  /** Names of file columns that are not fields of a person, by type of import. */
  columns: Readonly<Record<string, Entries>>;
  /** The letters of a date format. */
  dates: Readonly<Record<'day' | 'month' | 'year', string>>;
  /** The initial text of each letter template. */
  letters: Readonly<Record<LetterKind, Letter>>;
};

const here = dirname(dirname(fileURLToPath(import.meta.resolve('@tenure/contract/locales/en/language.json'))));

const readJson = <T>(...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8')) as T;
type Messages = { [name: string]: string | Messages };

/** The messages of a file by their full keys. */
const flat = (messages: Messages, path: string): [key: string, message: string][] =>
  Object.entries(messages).flatMap(([name, inner]) =>
    typeof inner === 'string' ? [[`${path}.${name}`, inner]] : flat(inner, `${path}.${name}`),
  );

/** `language.json` of a language. */
type Settings = {
  locale: string;
  /** Whether a label starts with a lower-case letter inside a sentence. */
  labels_in_sentences: 'lower_case' | 'as_written';
};

/** A label inside a sentence; abbreviations stay in capitals. */
const inSentence = (label: string, { labels_in_sentences }: Settings) =>
  labels_in_sentences === 'lower_case' && !/^\p{Lu}{2}/u.test(label)
    ? `${label.charAt(0).toLowerCase()}${label.slice(1)}`
    : label;

/** The field labels, overridden for names that belong to no record or read badly in a sentence. */
function fieldNames(folder: string, settings: Settings, records: Catalogue['labels']): Map<string, string> {
  const labels = Object.values(records).flatMap((record) => Object.entries(record));
  const names = readJson<Entries>(folder, 'messages', 'attributes.json');
  return new Map([
    ...labels.map(([name, label]) => [name, inSentence(label, settings)] as const),
    ...Object.entries(names),
  ]);
}

/** Reads a letter; its first line is the title. */
function readLetter(folder: string, kind: LetterKind): Letter {
  const [title = '', , ...body] = readFileSync(join(folder, 'letters', `${kind}.txt`), 'utf8')
    .trimEnd()
    .split('\n');
  return { title, body: body.join('\n') };
}

/** Shared with the page, so that the exported file and the screen use the same words. */
function readAuditWords(folder: string): AuditWords {
  const page = <T>(part: string) => readJson<T>(folder, 'browser', `${part}.json`);
  const { audit } = page<{ audit: Pick<AuditWords, 'verb' | 'field'> }>('audit');
  const { auditLog } = page<{ auditLog: Pick<AuditWords, 'subject' | 'value'> }>('audit-log');
  const { permission } = page<Pick<AuditWords, 'permission'>>('permissions');
  return { verb: audit.verb, field: audit.field, subject: auditLog.subject, value: auditLog.value, permission };
}

/** Shared with the pages, so that an imported file may use the words of a screen. */
function readImportWords(folder: string): Pick<Catalogue, 'choices' | 'columns' | 'dates'> {
  const page = <T>(part: string) => readJson<T>(folder, 'browser', `${part}.json`);
  const words = page<Record<'activityStatus' | 'lifecycle' | 'employmentType', Entries>>('words');
  const person = page<Record<'gender' | 'maritalStatus', Entries>>('person');
  const { kpiTemplates } = page<{ kpiTemplates: Record<'type' | 'direction' | 'status', Entries> }>('kpi-templates');
  const choices = {
    activity_status: words.activityStatus,
    employment_lifecycle: words.lifecycle,
    employment_type: words.employmentType,
    gender: person.gender,
    marital_status: person.maritalStatus,
    item_type: kpiTemplates.type,
    direction: kpiTemplates.direction,
    status: kpiTemplates.status,
  };
  const columns = {
    kpi_templates: page<{ templateImportField: Entries }>('template-import-fields').templateImportField,
    job_history: page<{ importField: Entries }>('imports').importField,
    former_results: page<{ formerResultField: Entries }>('former-result-fields').formerResultField,
  };
  return { choices, columns, dates: page<{ form: Catalogue['dates'] }>('forms').form };
}

function readCatalogue(folder: string): Catalogue {
  const id = basename(folder);
  const settings = readJson<Settings>(folder, 'language.json');
  const { locale } = settings;
  const messages = readdirSync(join(folder, 'messages'))
    .sort()
    .flatMap((file) => {
      const area = file.replace('.json', '').replaceAll('-', '_');
      return flat(readJson<Messages>(folder, 'messages', file), area);
    });
  const letters = Object.fromEntries(
    letterKinds.map((kind) => [kind, readLetter(folder, kind)]),
  ) as Catalogue['letters'];
  const { fields: labels } = readJson<{ fields: Record<string, Entries> }>(folder, 'fields.json');
  const fields = fieldNames(folder, settings, labels);
  return {
    id,
    locale,
    messages: new Map(messages),
    fields,
    labels,
    audit: readAuditWords(folder),
    ...readImportWords(folder),
    letters,
  };
}

/** The languages in a folder, one folder each; English comes first. */
export function readCatalogues(folder: string = here): Map<string, Catalogue> {
  const ids = readdirSync(folder).sort((a, b) => Number(b === 'en') - Number(a === 'en') || (a < b ? -1 : 1));
  return new Map(ids.map((id) => [id, readCatalogue(join(folder, id))]));
}
