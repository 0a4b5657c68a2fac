import { absences } from './absences.ts';
import { access } from './access.ts';
import { accountLinks } from './account-links.ts';
import { actionableItems } from './actionable-items.ts';
import { announcements } from './announcements.ts';
import { attachmentImportCorrections, attachmentImports } from './attachment-imports.ts';
import { attachments } from './attachments.ts';
import { auditLog } from './audit-log.ts';
import { backups } from './backups.ts';
import { brand, companyBrand } from './brand.ts';
import { consequences } from './consequences.ts';
import { dashboard, reports } from './dashboard.ts';
import { departments } from './departments.ts';
import { directory } from './directory.ts';
import { duplicates } from './duplicates.ts';
import { employeeBulk } from './employee-bulk.ts';
import { employeePasswords } from './employee-passwords.ts';
import { employeeSignIn } from './employee-sign-in.ts';
import { employees } from './employees.ts';
import type { Endpoint } from './endpoint.ts';
import { entities } from './entities.ts';
import { employeeImportCorrections, employeeImports } from './employee-imports.ts';
import { importProfiles } from './import-profiles.ts';
import { formerResultImports } from './former-result-imports.ts';
import { formerResults } from './former-results.ts';
import { home } from './home.ts';
import { identityProviders } from './identity-providers.ts';
import { jobHistory } from './job-history.ts';
import { plannedChanges } from './planned-changes.ts';
import { kpiCycleFigures } from './kpi-cycle-figures.ts';
import { kpiCycleMoves } from './kpi-cycle-moves.ts';
import { kpiCycleNewcomers } from './kpi-cycle-newcomers.ts';
import { kpiCyclePeople } from './kpi-cycle-people.ts';
import { kpiCycles } from './kpi-cycles.ts';
import { evaluationBulk } from './kpi-evaluation-bulk.ts';
import { evaluationSteps } from './kpi-evaluation-steps.ts';
import { kpiEvaluations } from './kpi-evaluations.ts';
import { kpiEvidence } from './kpi-evidence.ts';
import { kpiTemplates } from './kpi-templates.ts';
import { notificationPreferences } from './notification-preferences.ts';
import { notificationSettings } from './notification-settings.ts';
import { letters } from './letters.ts';
import { notifications } from './notifications.ts';
import { orgChart } from './org-chart.ts';
import { passkeys, passkeySignIn } from './passkeys.ts';
import { probationCriteria } from './probation-criteria.ts';
import { probationEndings, probationReviews } from './probation-reviews.ts';
import { probationSignatures } from './probation-signatures.ts';
import { probationSteps } from './probation-steps.ts';
import { profile } from './profile.ts';
import { responsibilities } from './responsibilities.ts';
import { roleRules, scimRoleRules } from './role-rules.ts';
import { roles } from './roles.ts';
import { savedViews } from './saved-views.ts';
import { calendarFeeds } from './calendar-feeds.ts';
import { chatTargets } from './chat-targets.ts';
import { events } from './events.ts';
import { serviceAccounts } from './service-accounts.ts';
import { allTokens, ownTokens } from './api-tokens.ts';
import { scimConnections } from './scim-connections.ts';
import { signInBlocks } from './sign-in-blocks.ts';
import { sealedSecrets } from './sealed-secrets.ts';
import { search } from './search.ts';
import { secondFactors } from './second-factors.ts';
import { session } from './session.ts';
import { singleReads } from './single-reads.ts';
import { secondFactorDemands } from './second-factor-demands.ts';
import { breakGlass, signInPolicies } from './sign-in-policies.ts';
import { ownIdentities, sso } from './sso.ts';
import { stepUp } from './step-up.ts';
import { historyImportCorrections, historyImports } from './history-imports.ts';
import { templateImportCorrections, templateImports } from './template-imports.ts';
import { webhooks } from './webhooks.ts';

/** Every declared endpoint, by feature. */
export const endpointGroups: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = {
  session,
  accountLinks,
  profile,
  stepUp,
  secondFactors,
  passkeys,
  passkeySignIn,
  ownTokens,
  calendarFeeds,
  serviceAccounts,
  allTokens,
  backups,
  events,
  sealedSecrets,
  scimConnections,
  signInBlocks,
  identityProviders,
  roleRules,
  scimRoleRules,
  sso,
  ownIdentities,
  signInPolicies,
  breakGlass,
  secondFactorDemands,
  brand,
  entities,
  companyBrand,
  departments,
  employees,
  employeePasswords,
  employeeSignIn,
  employeeBulk,
  directory,
  duplicates,
  access,
  consequences,
  responsibilities,
  attachments,
  jobHistory,
  absences,
  plannedChanges,
  kpiCycles,
  kpiCycleFigures,
  kpiCycleMoves,
  kpiCycleNewcomers,
  kpiCyclePeople,
  employeeImports,
  employeeImportCorrections,
  orgChart,
  search,
  roles,
  auditLog,
  notifications,
  notificationSettings,
  notificationPreferences,
  savedViews,
  actionableItems,
  kpiTemplates,
  importProfiles,
  templateImports,
  historyImports,
  historyImportCorrections,
  attachmentImports,
  attachmentImportCorrections,
  templateImportCorrections,
  kpiEvaluations,
  evaluationBulk,
  evaluationSteps,
  kpiEvidence,
  formerResults,
  formerResultImports,
  probationCriteria,
  probationEndings,
  probationReviews,
  letters,
  probationSignatures,
  probationSteps,
  dashboard,
  reports,
  home,
  announcements,
  singleReads,
  webhooks,
  chatTargets,
};
