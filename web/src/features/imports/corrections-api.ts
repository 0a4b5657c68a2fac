import { employeeImportCorrections, templateImportCorrections } from '@tenure/contract';
import { people, useImportKind } from './kinds.ts';

/** The endpoints that correct several rows of an import of the page's kind. */
export const useCorrectionsApi = (): typeof employeeImportCorrections =>
  useImportKind() === people
    ? employeeImportCorrections
    : // the same endpoints under other paths
      (templateImportCorrections as unknown as typeof employeeImportCorrections);
