import { day, oneOf, searchParams, someText, wholeNumber } from '../../ui/search-params.ts';

/** The subject types of entries. */
export const subjectTypes = [
  'employee',
  'entity',
  'department',
  'account',
  'role',
  'job_history',
  'announcement',
  'attachment',
  'kpi_template',
  'kpi_cycle',
  'kpi_evaluation',
  'kpi_evidence',
  'probation_review',
  'probation_signature',
  'letter_template',
  'probation_criteria_set',
  'notification_setting',
  'brand',
  'identity_provider',
  'identity',
  'sign_in_policy',
  'break_glass',
  'audit_log',
  'scim_connection',
  'scim_user',
  'scim_group',
  'sign_in_block',
  'token',
  'service_account',
  'webhook',
  'chat_target',
  'calendar_feed',
  'saved_view',
  'session',
  'import',
  'import_profile',
  'export',
] as const;

/** The filters and the page of the audit log, all in the address. */
export const auditLogSearch = searchParams({
  page: wholeNumber(1),
  per_page: wholeNumber(1, 100),
  search: someText(100),
  subject_type: oneOf(subjectTypes),
  action: someText(60),
  subject_id: wholeNumber(1),
  entity_id: wholeNumber(1),
  scim_connection_id: wholeNumber(1),
  /** An account id; 0 for Tenure itself. */
  actor_id: wholeNumber(0),
  actor_employee_id: wholeNumber(1),
  at_from: day,
  at_to: day,
  sort_by: oneOf(['at', 'action', 'subject_type']),
  sort_direction: oneOf(['asc', 'desc']),
});
export type AuditLogSearch = ReturnType<typeof auditLogSearch>;
export type Change = { [K in keyof AuditLogSearch]?: AuditLogSearch[K] | undefined };

export const auditFilters = [
  'search',
  'subject_type',
  'action',
  'subject_id',
  'entity_id',
  'scim_connection_id',
  'actor_id',
  'actor_employee_id',
  'at_from',
  'at_to',
] as const;
