import { employeeImports, templateImports, type Import, type Permission } from '@tenure/contract';
import { createContext, use } from 'react';
import { paths } from '../../paths.ts';
import {
  importFields,
  missingFields,
  missingTemplateFields,
  requiredFields,
  templateFields,
  templateRequiredFields,
  type AnyField,
} from './fields.ts';
import { sentSettings, sentTemplateSettings, type Settings } from './settings.ts';

type ImportApi = Omit<typeof employeeImports, 'undo'>;

/** A kind of import: its record type, endpoints, and the differences of its pages. */
export type ImportKind = {
  /** The import type of the API; also the prefix of the texts. */
  type: Import['type'];
  permission: Permission;
  api: ImportApi;
  paths: {
    list: typeof paths.imports | typeof paths.kpiTemplateImports;
    new: typeof paths.newImport | typeof paths.newKpiTemplateImport;
    one: typeof paths.import | typeof paths.kpiTemplateImport;
    /** The pages of the resulting records: list and record. */
    results: typeof paths.employees | typeof paths.kpiTemplates;
    result: typeof paths.employee | typeof paths.kpiTemplate;
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
  ) => ReturnType<typeof sentSettings> | ReturnType<typeof sentTemplateSettings>;
  /** The service's limit, so that a larger file is not sent. */
  mostMegabytes: number;
  /** The fields that name a row. */
  nameFields: readonly string[];
  /** The fields that identify a row; after the import they are in the column of the name. */
  keyFields: readonly string[];
  /** True if rows with the same value belong together. */
  isGrouped: boolean;
};

export const people: ImportKind = {
  type: 'employees',
  permission: 'employees.import',
  api: employeeImports,
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
  mostMegabytes: 50,
  nameFields: ['first_name', 'last_name'],
  keyFields: ['employee_number', 'first_name', 'last_name'],
  isGrouped: false,
};

export const templates: ImportKind = {
  type: 'kpi_templates',
  permission: 'kpi-template.import',
  // the same endpoints under other paths, with fewer settings
  api: templateImports as unknown as ImportApi,
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
  mostMegabytes: 5,
  nameFields: ['item_name'],
  keyFields: ['template_name', 'item_name'],
  isGrouped: true,
};

/** The import kind of the page; people by default. */
export const ImportKindContext = createContext<ImportKind>(people);

/** The import kind of the current page. */
export const useImportKind = (): ImportKind => use(ImportKindContext);
