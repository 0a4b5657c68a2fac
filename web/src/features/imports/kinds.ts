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

/** What is brought in from a file, and how its pages differ from those of the others. */
export type ImportKind = {
  /** As the service calls it; also the name of the texts. */
  type: Import['type'];
  permission: Permission;
  api: ImportApi;
  paths: {
    list: typeof paths.imports | typeof paths.kpiTemplateImports;
    new: typeof paths.newImport | typeof paths.newKpiTemplateImport;
    one: typeof paths.import | typeof paths.kpiTemplateImport;
    /** The records that come of it: all of them, and one. */
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
  /** The limit of the service, so that a file it would refuse is not sent first. */
  mostMegabytes: number;
  /** The cells that say what a row is about. */
  naming: readonly string[];
  /** The fields that tell rows apart: they stand before the others. */
  telling: readonly string[];
  /** Rows belong together that say the same here. */
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
  naming: ['first_name', 'last_name'],
  telling: ['employee_number', 'first_name', 'last_name'],
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
  naming: ['item_name'],
  telling: ['template_name', 'item_name'],
  isGrouped: true,
};

/** Set by the page; people without one. */
export const ImportKindContext = createContext<ImportKind>(people);

/** What the import on this page brings in. */
export const useImportKind = (): ImportKind => use(ImportKindContext);
