import type { BodyOut, employeeImports } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import type { Actor } from '../access/actor.ts';
import { invalidFields, say } from '../http/errors.ts';
import type { FieldErrors } from '../http/errors.ts';
import { isField, mapColumns } from './columns.ts';
import type { Column, Mapping, Vocabulary } from './columns.ts';
import type { ImportKind } from './kind.ts';
import type { Settings } from './record.ts';

const notPermitted = text('validation.not_permitted');

type Sent = BodyOut<typeof employeeImports.update>;

export const plainSettings: Settings = {
  mode: 'partial',
  on_conflict: 'fail',
  date_format: 'YYYY-MM-DD',
  mapping: null,
  defaults: {},
  values: {},
  create_departments: false,
};

/** Merges sent settings into the stored ones; null clears mapping and defaults. */
export function mergeSettings(stored: Settings, sent: Sent): Settings {
  return {
    mode: sent.mode ?? stored.mode,
    on_conflict: sent.on_conflict ?? stored.on_conflict,
    date_format: sent.date_format ?? stored.date_format,
    mapping: sent.mapping === undefined ? stored.mapping : sent.mapping,
    defaults: sent.defaults === undefined ? stored.defaults : (sent.defaults ?? {}),
    values: sent.values === undefined ? stored.values : (sent.values ?? {}),
    create_departments: sent.create_departments ?? stored.create_departments,
  };
}

function mappingErrors(vocabulary: Vocabulary, mapping: Mapping, headings: readonly string[]): FieldErrors {
  const known = new Set(headings.map((heading) => heading.toLowerCase()));
  const fields = Object.values(mapping).filter((field) => field !== null);
  const wrong =
    fields.some((field) => !isField(vocabulary, field)) ||
    Object.keys(mapping).some((name) => !known.has(name.toLowerCase()));
  if (wrong) return { mapping: [say('mapping', messages.selected)] };
  return new Set(fields).size < fields.length ? { mapping: [say('mapping', messages.duplicate)] } : {};
}

/** Fields that the actor selected but may not see, in columns and as values for all rows. */
function hiddenErrors(kind: ImportKind, actor: Actor, { mapping, defaults }: Settings): FieldErrors {
  const hidden = kind.hiddenFrom(actor, { created_by: actor.user_id });
  const refuse = (name: string, fields: readonly (string | null)[]) => {
    const refused = fields.filter((field) => field !== null && hidden.has(field));
    return refused.length > 0 && { [name]: refused.map((field) => say(field as string, notPermitted)) };
  };
  return { ...refuse('mapping', Object.values(mapping ?? {})), ...refuse('defaults', Object.keys(defaults)) };
}

/** Refuses settings with unknown columns or fields, and those that the actor cannot choose. */
export function checkSettings(kind: ImportKind, actor: Actor, settings: Settings, headings: readonly string[]) {
  const { vocabulary } = kind;
  kind.allowSettings(actor, settings);
  const { mapping, defaults } = settings;
  const wrongDefault = Object.keys(defaults).some(
    (field) => !isField(vocabulary, field) || vocabulary.isPersonal(field),
  );
  const errors: FieldErrors = {
    ...hiddenErrors(kind, actor, settings),
    ...mappingErrors(vocabulary, mapping ?? {}, headings),
    ...(wrongDefault && { defaults: [say('defaults', messages.selected)] }),
  };
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

/** The columns of a file by the mapping, with their samples. */
export function columnsOf(
  { vocabulary }: ImportKind,
  columns: readonly Pick<Column, 'header' | 'sample' | 'row'>[],
  mapping: Mapping | null,
): Column[] {
  const found = mapColumns(
    vocabulary,
    columns.map(({ header }) => header),
    mapping,
  );
  return columns.map(({ header, sample, row }, index) => ({
    header,
    field: null,
    source: 'ignored',
    ...found[index],
    sample,
    row,
  }));
}
