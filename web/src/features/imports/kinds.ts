import {
  attachmentImportCorrections,
  attachmentImports,
  employeeImportCorrections,
  employeeImports,
  formerResultImports,
  historyImportCorrections,
  historyImports,
  templateImportCorrections,
  templateImports,
  type Endpoint,
  type Import,
  type Permission,
} from '@tenure/contract';
import { createContext, use } from 'react';
import { paths } from '../../paths.ts';
import {
  attachmentFields,
  formerResultFields,
  formerResultRequiredFields,
  historyFields,
  historyRequiredFields,
  importFields,
  missingFormerResultFields,
  missingFields,
  missingHistoryFields,
  missingTemplateFields,
  requiredFields,
  templateFields,
  templateRequiredFields,
  type AnyField,
} from './fields.ts';
import {
  sentFileSettings,
  sentHistorySettings,
  sentResultSettings,
  sentSettings,
  sentTemplateSettings,
  type Settings,
} from './settings.ts';

type ImportApi = Omit<typeof employeeImports, 'undo'>;
type Corrections = Omit<typeof employeeImportCorrections, 'values'>;
type Values = typeof employeeImportCorrections.values;
type Undo = typeof employeeImports.undo;

/** The types of imports with an undo. */
export type Undoable = Exclude<Import['type'], 'kpi_templates'>;

/** A kind of import: its record type, endpoints, and the differences of its pages. */
export type ImportKind = {
  /** The import type of the API; also the prefix of the texts. */
  type: Import['type'];
  permission: Permission;
  api: ImportApi;
  corrections: Corrections;
  /** The texts of columns with fixed choices; absent where no field has them. */
  values?: Values;
  undo?: Undo;
  paths: {
    list:
      | typeof paths.imports
      | typeof paths.historyImports
      | typeof paths.fileImports
      | typeof paths.kpiTemplateImports
      | typeof paths.formerResultImports;
    new:
      | typeof paths.newImport
      | typeof paths.newHistoryImport
      | typeof paths.newFileImport
      | typeof paths.newKpiTemplateImport
      | typeof paths.newFormerResultImport;
    one:
      | typeof paths.import
      | typeof paths.historyImport
      | typeof paths.fileImport
      | typeof paths.kpiTemplateImport
      | typeof paths.formerResultImport;
    /** The page with the list of the resulting records. */
    results: typeof paths.employees | typeof paths.kpiTemplates;
    /** The page of a record; absent where records have none. */
    result?: typeof paths.employee | typeof paths.kpiTemplate;
  };
  fields: readonly AnyField[];
  required: readonly AnyField[];
  missing: (
    mapped: readonly (string | null)[],
    defaults: Record<string, unknown>,
    onConflict: Settings['on_conflict'],
  ) => readonly AnyField[];
  sent: (
    settings: Settings,
    kept?: Import['defaults'],
  ) =>
    | ReturnType<typeof sentSettings>
    | ReturnType<typeof sentHistorySettings>
    | ReturnType<typeof sentFileSettings>
    | ReturnType<typeof sentTemplateSettings>
    | ReturnType<typeof sentResultSettings>;
  /** The service's limit, so that a larger file is not sent. */
  maxMegabytes: number;
  /** The fields that name a row. */
  nameFields: readonly string[];
  /** The fields that identify a row; after the import they are in the column of the name. */
  keyFields: readonly string[];
  /** True if rows with the same value belong together. */
  isGrouped: boolean;
  /** The fields that cannot be corrected; absent where all can. */
  fixed?: readonly AnyField[];
};

type Declared<T> = T extends Endpoint ? Endpoint : { readonly [K in keyof T]: Endpoint };

/** Endpoints of another kind, typed as those of people: only their paths differ, and some have fewer settings. */
const like = <T>(endpoints: Declared<T>): T => endpoints as unknown as T;

export const people: ImportKind = {
  type: 'employees',
  permission: 'employees.import',
  api: employeeImports,
  corrections: employeeImportCorrections,
  values: employeeImportCorrections.values,
  undo: employeeImports.undo,
  paths: {
    list: paths.imports,
    new: paths.newImport,
    one: paths.import,
    results: paths.employees,
    result: paths.employee,
  },
  fields: importFields,
  required: requiredFields,
  missing: missingFields,
  sent: sentSettings,
  maxMegabytes: 50,
  nameFields: ['first_name', 'last_name'],
  keyFields: ['employee_number', 'first_name', 'last_name'],
  isGrouped: false,
};

export const history: ImportKind = {
  type: 'job_history',
  permission: 'employees.import',
  api: like<ImportApi>(historyImports),
  corrections: like<Corrections>(historyImportCorrections),
  values: like<Values>(historyImportCorrections.values),
  undo: like<Undo>(historyImports.undo),
  paths: {
    list: paths.historyImports,
    new: paths.newHistoryImport,
    one: paths.historyImport,
    results: paths.employees,
    result: paths.employee,
  },
  fields: historyFields,
  required: historyRequiredFields,
  missing: missingHistoryFields,
  sent: sentHistorySettings,
  maxMegabytes: 50,
  nameFields: ['job_title'],
  keyFields: ['employee_number', 'job_title'],
  isGrouped: true,
};

export const files: ImportKind = {
  type: 'attachments',
  permission: 'employees.update',
  api: like<ImportApi>(attachmentImports),
  corrections: like<Corrections>(attachmentImportCorrections),
  undo: like<Undo>(attachmentImports.undo),
  paths: {
    list: paths.fileImports,
    new: paths.newFileImport,
    one: paths.fileImport,
    results: paths.employees,
    result: paths.employee,
  },
  fields: attachmentFields,
  required: [],
  missing: () => [],
  sent: sentFileSettings,
  maxMegabytes: 200,
  nameFields: ['title'],
  keyFields: ['employee_number', 'title'],
  isGrouped: true,
  fixed: ['file', 'size'],
};

export const templates: ImportKind = {
  type: 'kpi_templates',
  permission: 'kpi-template.import',
  api: like<ImportApi>(templateImports),
  corrections: like<Corrections>(templateImportCorrections),
  paths: {
    list: paths.kpiTemplateImports,
    new: paths.newKpiTemplateImport,
    one: paths.kpiTemplateImport,
    results: paths.kpiTemplates,
    result: paths.kpiTemplate,
  },
  fields: templateFields,
  required: templateRequiredFields,
  missing: missingTemplateFields,
  sent: sentTemplateSettings,
  maxMegabytes: 5,
  nameFields: ['item_name'],
  keyFields: ['template_name', 'item_name'],
  isGrouped: true,
};

export const results: ImportKind = {
  type: 'former_results',
  permission: 'kpi-evaluation.hr-review',
  api: like<ImportApi>(formerResultImports),
  corrections: like<Corrections>(formerResultImports),
  values: like<Values>(formerResultImports.values),
  undo: like<Undo>(formerResultImports.undo),
  paths: {
    list: paths.formerResultImports,
    new: paths.newFormerResultImport,
    one: paths.formerResultImport,
    results: paths.employees,
  },
  fields: formerResultFields,
  required: formerResultRequiredFields,
  missing: missingFormerResultFields,
  sent: sentResultSettings,
  maxMegabytes: 50,
  nameFields: ['employee_number'],
  keyFields: ['employee_number'],
  isGrouped: false,
};

export const importKinds: readonly ImportKind[] = [people, history, files, templates, results];

/** The import kind of the page; people by default. */
export const ImportKindContext = createContext<ImportKind>(people);

/** The import kind of the current page. */
export const useImportKind = (): ImportKind => use(ImportKindContext);
