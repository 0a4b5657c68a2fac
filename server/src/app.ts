import type { FastifyInstance } from 'fastify';
import type { Binding, Deps } from './http/context.ts';
import { buildServer } from './http/server.ts';
import type { Outside } from './http/server.ts';
import type { Dependents } from './people/dependents.ts';
import { departmentsDuty } from './features/departments/reassign.ts';
import { reportsDuty } from './features/employees/lifecycle/reassign.ts';
import { cyclesDuty } from './features/kpi-cycles/reassign.ts';
import { cancelOpenOf } from './features/kpi-evaluations/bulk-transitions.ts';
import { evaluationsDuty } from './features/kpi-evaluations/reassign.ts';
import { cancelOpenReviewsOf } from './features/probation-reviews/bulk-transitions.ts';
import { moveToNewEnd } from './features/probation-reviews/pauses.ts';
import { followTransfers } from './features/probation-reviews/transfers.ts';
import { reviewsDuty } from './features/probation-reviews/reassign.ts';
import { actionableItemRoutes } from './features/actionable-items/routes.ts';
import { announcementRoutes } from './features/announcements/routes.ts';
import { calendarFeedRoutes } from './features/calendar-feeds/routes.ts';
import { bindCalendar } from './features/calendar-feeds/server.ts';
import { chatTargetRoutes } from './features/chat-targets/routes.ts';
import { dashboardRoutes } from './features/dashboard/routes.ts';
import { departmentRoutes } from './features/departments/routes.ts';
import { importRoutes } from './features/employee-imports/routes.ts';
import { auditLogRoutes } from './features/audit-log/routes.ts';
import { accessRoutes } from './features/access/routes.ts';
import { bulkRoutes } from './features/employees/bulk/routes.ts';
import { probationEndRoutes } from './features/employees/lifecycle/probation-routes.ts';
import { lifecycleRoutes } from './features/employees/lifecycle/routes.ts';
import { responsibilityRoutes } from './features/employees/responsibilities-routes.ts';
import { passwordRoutes } from './features/employees/passwords/routes.ts';
import { signInBlockRoutes } from './features/employees/sign-in-blocks/routes.ts';
import { assignmentRoutes } from './features/employees/roles-routes.ts';
import { directoryRoutes } from './features/directory/routes.ts';
import { absenceRoutes } from './features/employees/absences/routes.ts';
import { employeeRoutes } from './features/employees/routes.ts';
import { backupRoutes } from './features/backups/routes.ts';
import { brandRoutes } from './features/brand/routes.ts';
import { companyBrandRoutes } from './features/entities/brand-routes.ts';
import { entityRoutes } from './features/entities/routes.ts';
import { attachmentImportRoutes } from './features/attachment-imports/routes.ts';
import { attachmentRoutes } from './features/attachments/routes.ts';
import { pictureRoutes } from './features/employees/pictures-routes.ts';
import { reviewRoutes } from './features/probation-reviews/routes-read.ts';
import { signatureRoutes } from './features/probation-reviews/routes-signatures.ts';
import { reviewStepRoutes } from './features/probation-reviews/routes-steps.ts';
import { upcomingRoutes } from './features/probation-reviews/routes-upcoming.ts';
import { formerResultImportRoutes } from './features/former-result-imports/routes.ts';
import { formerResultRoutes } from './features/former-results/routes.ts';
import { identityProviderRoutes } from './features/identity-providers/routes.ts';
import { homeRoutes } from './features/home/routes.ts';
import { probationCriteriaRoutes } from './features/probation-criteria/routes.ts';
import { letterRoutes } from './features/letters/routes.ts';
import { profileRoutes } from './features/profile/routes.ts';
import { jobHistoryRoutes } from './features/job-history/routes.ts';
import { evaluationBulkRoutes } from './features/kpi-evaluations/bulk/routes.ts';
import { evidenceRoutes } from './features/kpi-evaluations/routes-evidence.ts';
import { evaluationRoutes } from './features/kpi-evaluations/routes-read.ts';
import { evaluationStepRoutes } from './features/kpi-evaluations/routes-steps.ts';
import { kpiTemplateRoutes } from './features/kpi-templates/routes.ts';
import { kpiCycleRoutes } from './features/kpi-cycles/routes.ts';
import { notificationPreferenceRoutes } from './features/notifications/preferences-routes.ts';
import { notificationRoutes } from './features/notifications/routes.ts';
import { notificationSettingRoutes } from './features/notifications/settings-routes.ts';
import { orgChartRoutes } from './features/org-chart/routes.ts';
import { roleRoutes } from './features/roles/routes.ts';
import { savedViewRoutes } from './features/saved-views/routes.ts';
import { searchRoutes } from './features/search/routes.ts';
import { eventRoutes } from './features/events/routes.ts';
import { scimConnectionRoutes } from './features/scim-connections/routes.ts';
import { sealedSecretRoutes } from './features/sealed-secrets/routes.ts';
import { accountLinkRoutes } from './features/account-links/routes.ts';
import { roleRuleRoutes } from './features/role-rules/routes.ts';
import { ssoRoutes } from './features/sso/routes.ts';
import { signInPolicyRoutes } from './features/sign-in-policies/routes.ts';
import { tokenRoutes } from './features/tokens/routes.ts';
import { serviceAccountRoutes } from './features/tokens/service-routes.ts';
import { sessionRoutes } from './features/sessions/routes.ts';
import { webhookRoutes } from './features/webhooks/routes.ts';
import { historyImportRoutes } from './features/history-imports/routes.ts';
import { templateImportRoutes } from './features/template-imports/routes.ts';

/** What happens to the responsibilities of people who change company, leave or hand over. */
const dependents: Dependents = {
  duties: [reviewsDuty, evaluationsDuty, departmentsDuty, reportsDuty, cyclesDuty],
  cancelReviews: cancelOpenReviewsOf,
  cancelEvaluations: cancelOpenOf,
  moveReviews: moveToNewEnd,
  follow: followTransfers,
};

/** Every endpoint of the service, by feature. */
export const routes: readonly Binding[] = [
  ...sessionRoutes,
  ...accountLinkRoutes,
  ...backupRoutes,
  ...eventRoutes,
  ...sealedSecretRoutes,
  ...identityProviderRoutes,
  ...roleRuleRoutes,
  ...ssoRoutes,
  ...scimConnectionRoutes,
  ...signInPolicyRoutes,
  ...tokenRoutes,
  ...calendarFeedRoutes,
  ...serviceAccountRoutes,
  ...webhookRoutes,
  ...chatTargetRoutes,
  ...brandRoutes,
  ...entityRoutes,
  ...companyBrandRoutes,
  ...departmentRoutes,
  ...employeeRoutes(dependents),
  ...bulkRoutes(dependents),
  ...lifecycleRoutes(dependents),
  ...probationEndRoutes(dependents),
  ...absenceRoutes,
  ...responsibilityRoutes(dependents),
  ...passwordRoutes,
  ...signInBlockRoutes,
  ...assignmentRoutes,
  ...accessRoutes,
  ...jobHistoryRoutes,
  ...attachmentRoutes,
  ...pictureRoutes,
  ...profileRoutes,
  ...importRoutes,
  ...roleRoutes,
  ...auditLogRoutes,
  ...kpiCycleRoutes,
  ...notificationRoutes,
  ...notificationSettingRoutes,
  ...notificationPreferenceRoutes,
  ...searchRoutes,
  ...orgChartRoutes,
  ...directoryRoutes,
  ...savedViewRoutes,
  ...actionableItemRoutes,
  ...kpiTemplateRoutes,
  ...templateImportRoutes,
  ...historyImportRoutes,
  ...attachmentImportRoutes,
  ...evaluationRoutes,
  ...evaluationStepRoutes,
  ...evaluationBulkRoutes,
  ...evidenceRoutes,
  ...formerResultRoutes,
  ...formerResultImportRoutes,
  ...upcomingRoutes,
  ...reviewRoutes,
  ...reviewStepRoutes,
  ...signatureRoutes,
  ...letterRoutes,
  ...probationCriteriaRoutes,
  ...dashboardRoutes,
  ...homeRoutes,
  ...announcementRoutes,
];

/** What features serve outside the API prefix. */
export const outside: readonly Outside[] = [bindCalendar];

/** The service without its listener: the plumbing, then every feature. */
export const buildApp = (deps: Deps): Promise<FastifyInstance> => buildServer(deps, routes, { outside });
