import { statusByDates } from '@tenure/contract';
import type { Attachment, conflictRules, dateFormats, Import, importModes, lifecycles } from '@tenure/contract';

/** How a file is parsed, and default values for rows without their own. */
export type Settings = {
  entity_id: number | undefined;
  department_id: number | undefined;
  employment_lifecycle: (typeof lifecycles)[number] | typeof statusByDates | undefined;
  create_departments: boolean;
  on_conflict: (typeof conflictRules)[number];
  date_format: (typeof dateFormats)[number];
  mode: (typeof importModes)[number];
  /** For former results whose rows lack them. */
  source: string;
  scale: string;
  /** For files without their own. */
  category: Attachment['category'];
  visibility: Attachment['visibility'];
};

export const usualSettings: Settings = {
  entity_id: undefined,
  department_id: undefined,
  employment_lifecycle: statusByDates,
  create_departments: false,
  on_conflict: 'fail',
  date_format: 'YYYY-MM-DD',
  mode: 'partial',
  source: '',
  scale: '',
  category: 'other',
  visibility: 'hr_only',
};

const ours = ['entity_id', 'department_id', 'employment_lifecycle'] as const;

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** The settings of an uploaded import. */
export const settingsOf = ({ defaults, create_departments, on_conflict, date_format, mode }: Import): Settings => ({
  entity_id: typeof defaults['entity_id'] === 'number' ? defaults['entity_id'] : undefined,
  department_id: typeof defaults['department_id'] === 'number' ? defaults['department_id'] : undefined,
  employment_lifecycle: defaults['employment_lifecycle'] as Settings['employment_lifecycle'],
  create_departments,
  on_conflict,
  date_format,
  mode,
  source: textOf(defaults['source']),
  scale: textOf(defaults['scale']),
  category: (defaults['category'] ?? usualSettings.category) as Settings['category'],
  visibility: (defaults['visibility'] ?? usualSettings.visibility) as Settings['visibility'],
});

/** The settings as a request body; defaults that the form does not show stay unchanged. */
export function sentSettings(
  {
    entity_id,
    department_id,
    employment_lifecycle,
    source: _source,
    scale: _scale,
    category: _category,
    visibility: _visibility,
    ...rest
  }: Settings,
  kept: Import['defaults'] = {},
) {
  const others = Object.entries(kept).filter(([name]) => !ours.some((one) => one === name));
  const chosen: [string, string | number | undefined][] = Object.entries({
    entity_id,
    department_id,
    employment_lifecycle,
  });
  const given = chosen.filter((entry): entry is [string, string | number] => entry[1] !== undefined);
  return { ...rest, defaults: Object.fromEntries([...others, ...given]) };
}

/** The settings of an import of former jobs. */
export function sentHistorySettings({ entity_id, mode, date_format }: Settings, kept: Import['defaults'] = {}) {
  const { entity_id: _before, ...others } = kept;
  return { mode, date_format, defaults: { ...others, ...(entity_id !== undefined && { entity_id }) } };
}

/** The settings of a template import; date format and departments do not apply. */
export function sentTemplateSettings({ entity_id, mode, on_conflict }: Settings, kept: Import['defaults'] = {}) {
  const { entity_id: _before, ...others } = kept;
  return { mode, on_conflict, defaults: { ...others, ...(entity_id !== undefined && { entity_id }) } };
}

/** The settings of an import of former results; companies do not apply. */
export function sentResultSettings(
  { mode, on_conflict, date_format, source, scale }: Settings,
  kept: Import['defaults'] = {},
) {
  const { source: _source, scale: _scale, ...others } = kept;
  const given = Object.entries({ source: source.trim(), scale: scale.trim() }).filter(([, value]) => value !== '');
  return { mode, on_conflict, date_format, defaults: { ...others, ...Object.fromEntries(given) } };
}

/** The settings of a file import. */
export const sentFileSettings = ({ mode, category, visibility }: Settings) => ({
  mode,
  defaults: { category, visibility },
});
