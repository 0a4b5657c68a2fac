/** Columns that refer to a stored file by its key. */
export const fileColumns = [
  { of: 'attachments', key: 'file_key' },
  { of: 'kpi_evidence', key: 'file_key' },
  { of: 'probation_sheets', key: 'file_key' },
  { of: 'probation_signatures', key: 'image_key' },
  { of: 'employees', key: 'picture_key' },
  { of: 'brands', key: 'logo_key' },
  { of: 'import_files', key: 'file_key' },
] as const;
