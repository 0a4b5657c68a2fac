import * as z from 'zod';
import { ActorRef, allowedActions, instant, stamps } from './envelope.ts';
import { boolean, id, integer, oneOf, revision, text } from './fields.ts';
import { filters, listQuery } from './lists.ts';
import { messageField } from './message-field.ts';

/** The kinds of imports. */
export const importTypes = ['employees', 'job_history', 'kpi_templates', 'former_results', 'attachments'] as const;
export const importStatuses = [
  'processing',
  'needs_mapping',
  'preview',
  'completed',
  'failed',
  'undone',
  'partly_undone',
  'expired',
] as const;
/** Why an undo keeps a row. */
export const keptReasons = [
  'not_permitted',
  'changed_since',
  'signed_in',
  'heads_department',
  'manages_others',
  'has_evaluations',
  'has_reviews',
  'owns_cycle',
  'has_files',
  'not_valid',
] as const;
export type KeptReason = (typeof keptReasons)[number];
export const importModes = ['partial', 'atomic'] as const;
export const conflictRules = ['fail', 'update', 'skip'] as const;
export const dateFormats = [
  'YYYY-MM-DD',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD.MM.YYYY',
  'DD-MM-YYYY',
  'YYYY/MM/DD',
  'YYYYMMDD',
  'DDMMYYYY',
] as const;
export const importRowStatuses = ['valid', 'failed', 'created', 'updated', 'skipped', 'undone'] as const;
export const importRowActions = ['create', 'update', 'skip', 'none'] as const;

const cell = z.string().max(32_767);
const counts = z.object({
  total: z.int(),
  valid: z.int(),
  created: z.int(),
  updated: z.int(),
  skipped: z.int(),
  failed: z.int(),
  warnings: z.int(),
});
export type ImportCounts = z.output<typeof counts>;

export const ImportColumn = z.object({
  header: z.string().max(255),
  field: z.string().max(60).nullable(),
  source: z.enum(['exact', 'alias', 'chosen', 'suggested', 'ignored']),
  sample: cell.nullable(),
});
export type ImportColumn = z.output<typeof ImportColumn>;

const mapping = z.record(z.string().max(500), z.string().max(60).nullable());
const defaults = z.record(z.string().max(500), z.union([z.string().max(5_000), z.number(), z.boolean(), z.null()]));
/** A default for the employment status: new people without one get it from their dates. */
export const statusByDates = 'by_dates';
/** The meaning of texts in columns, by heading; null leaves the cell empty. */
const values = z.record(z.string().max(500), z.record(z.string().max(5_000), z.string().max(5_000).nullable()));

/** What an import defines about the columns of its file. */
export const importMaps = { mapping: mapping.nullable(), defaults, values };

export const ImportRow = z.object({
  id: z.int(),
  type: z.enum(importTypes),
  status: z.enum(importStatuses),
  phase: z.enum(['checking', 'writing', 'undoing']).nullable(),
  file_name: z.string().max(255),
  file_size: z.int(),
  file_hash: z.string().max(64),
  format: z.enum(['csv', 'xlsx', 'zip']),
  /** The row with the headings; null for imports of an earlier version. */
  header_row: z.int().nullable(),
  dry_run: z.boolean(),
  mode: z.enum(importModes),
  on_conflict: z.enum(conflictRules),
  date_format: z.enum(dateFormats),
  ...importMaps,
  create_departments: z.boolean(),
  progress: z.object({ processed: z.int(), total: z.int() }),
  counts,
  plan_hash: z.string().max(64).nullable(),
  failure: messageField(1_000).nullable(),
  stale_rows: z.array(z.int()).nullable(),
  created_by: ActorRef,
  committed_at: instant.nullable(),
  finished_at: instant.nullable(),
  expires_at: instant.nullable(),
  undo_until: instant.nullable(),
  undone_at: instant.nullable(),
  undone_by: ActorRef.nullable(),
  /** How many rows the last undo kept. */
  kept_count: z.int(),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type ImportRow = z.output<typeof ImportRow>;
export const Import = ImportRow.extend({
  columns: z.array(ImportColumn),
  /** The first rows that the last undo kept, and why; only for the sender of the undo, null for others. */
  kept_rows: z.array(z.object({ row: z.int(), reason: z.enum(keptReasons).nullable() })).max(100),
});
export type Import = z.output<typeof Import>;

const texts = z.record(z.string().max(500), z.array(messageField(1_000)));
export const StagedRow = z.object({
  row: z.int(),
  status: z.enum(importRowStatuses),
  action: z.enum(importRowActions),
  key: z.string().max(255).nullable(),
  subject_id: z.int().nullable(),
  cells: z.record(z.string().max(500), cell).nullable(),
  errors: texts,
  warnings: texts,
  changes: z.record(z.string().max(500), z.object({ from: z.unknown(), to: z.unknown() })).nullable(),
  edited: z.boolean(),
  /** Skipped by the importer: not written. */
  left_out: z.boolean(),
});
export type StagedRow = z.output<typeof StagedRow>;

/** Form fields contain objects as JSON text; a JSON body contains them directly. */
const json = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return value;
    }
  }, schema);

/** The settings of all kinds of imports. */
export const importSettings = {
  mode: oneOf(importModes).optional(),
  on_conflict: oneOf(conflictRules).optional(),
  mapping: json(mapping).nullish(),
  defaults: json(defaults).nullish(),
};

/** The settings of an import whose texts can be matched with values. */
export const sheetSettings = {
  ...importSettings,
  values: json(values).nullish(),
  date_format: oneOf(dateFormats).optional(),
};

/** Settings of an import of people. */
export const peopleSettings = {
  ...sheetSettings,
  /** The profile whose settings apply where none are sent. */
  profile_id: id().nullish(),
  create_departments: boolean().optional(),
};

/** The row with the headings in an uploaded file; without it, titles above them are skipped. */
export const headerRow = { header_row: integer(1, 100).optional() };

/** The queries of all kinds of imports. */
export const importQueries = {
  sample: z.object({ format: z.enum(['csv', 'xlsx']).nullish() }),
  list: listQuery(['created_at', 'status', 'file_name'], {
    status: filters.oneOf(importStatuses),
    created_by: filters.ids(),
  }),
  rows: listQuery(['row', 'status', 'key'], {
    status: filters.oneOf(importRowStatuses),
    action: filters.oneOf(importRowActions),
    has_warnings: filters.flag(),
  }),
};
export const importBodies = {
  fixRow: z.object({
    cells: z.record(z.string().max(500), text(5_000).nullable()).optional(),
    left_out: boolean().optional(),
  }),
  commit: z.object({ plan_hash: text(64).nullish(), ...revision }),
};
