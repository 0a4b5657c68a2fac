import { postToChat } from '../features/chat-targets/post-due.ts';
import { requestTask, sendRequestedReset } from '../features/account-links/requests.ts';
import { startJoiners } from '../features/employees/lifecycle/joiners.ts';
import { endLeavers } from '../features/employees/lifecycle/leavers.ts';
import { acceptLapsedResults, skipSelfAssessments } from '../features/kpi-evaluations/scheduled-steps.ts';
import { findNewlyEligible } from '../features/kpi-cycles/find-newly-eligible.ts';
import { giveUpPublishing } from '../features/kpi-cycles/publish-given-up.ts';
import { publishCycleJob } from '../features/kpi-cycles/publish-job.ts';
import { remindRemaining } from '../features/kpi-cycles/remind.ts';
import { moveRemainingDueDays, notifyRemainingOpenings } from '../features/kpi-cycles/windows.ts';
import { settleKpiDays } from '../features/kpi-evaluations/days.ts';
import { changeEvaluationsJob, giveUpBulks } from '../features/kpi-evaluations/bulk/job.ts';
import { notifyMissingKpiReviewers } from '../features/kpi-evaluations/missing-reviewers.ts';
import { remindDue } from '../features/kpi-evaluations/reminders.ts';
import { notifyMissingProbationReviewers } from '../features/probation-reviews/missing-reviewers.ts';
import { remindOfEndings } from '../features/probation-reviews/reminders.ts';
import { openMilestones } from '../features/probation-reviews/open-milestones.ts';
import { openDueReviews } from '../features/probation-reviews/open-due.ts';
import { applyDueJobChanges } from '../features/job-history/apply.ts';
import { remindOfTokens } from '../features/tokens/ending.ts';
import { deliverMail } from '../notifications/deliver.ts';
import { applyAllRoleRules, applyRoleRules, applyTask } from '../sso/apply-role-rules.ts';
import { rotateKeys } from '../sso/client-keys.ts';
import { checkProviders } from '../sso/check-providers.ts';
import { remindOfCertificates } from '../sso/saml/ending.ts';
import { checkAudit } from './audit.ts';
import { retryBackup } from './backups.ts';
import { contractSchema } from './contracts.ts';
import { removeDeletedFiles, sweepFiles } from './files.ts';
import {
  foldEmployeeCounts,
  foldEvaluationCounts,
  foldReviewCounts,
  deleteAccountLinks,
  deleteBudgets,
  deleteEvaluationBulks,
  deleteIdempotencyKeys,
  deleteKnownOrigins,
  deleteLoginTries,
  deleteOwnAccountLinks,
  deletePrivateLooks,
  deleteRateCounts,
  deleteReplacedJobs,
  deleteSamlRequests,
  deleteScimRequests,
  deleteSsoTries,
  deleteUsedOnce,
  deleteReadNotifications,
  deleteSessions,
  prepareAuditLog,
  pruneCandidates,
} from './housekeeping.ts';
import { chainAndCollect, deleteEvents } from '../features/events/collect.ts';
import { fanOut, deleteDeliveries } from '../features/webhooks/sending/fan-out.ts';
import { resealSecrets } from './secrets.ts';
import { checkStoredFigures } from './stored-figures.ts';
import { eraseCells, expireImports, resumeImports, runImportJob } from './imports.ts';
import type { JobContext, Task, TimedTask } from './task.ts';

/** Turns committed changes into events, and events into webhook deliveries. */
export async function collectForWebhooks(ctx: JobContext): Promise<void> {
  await chainAndCollect(ctx);
  await fanOut(ctx);
}

/**
 * All timed tasks. Tasks that depend on a local day run every quarter of an hour and use the day of each company,
 * because time zones differ by quarters of an hour.
 */
export const timedTasks: readonly TimedTask[] = [
  { name: 'accept_lapsed_results', at: '*/15 * * * *', run: acceptLapsedResults },
  { name: 'apply_job_changes', at: '*/15 * * * *', run: applyDueJobChanges },
  { name: 'apply_all_role_rules', at: '10 4 * * *', run: applyAllRoleRules },
  { name: 'chain_audit_log', at: '* * * * *', run: collectForWebhooks },
  { name: 'check_audit_log', at: '30 3 * * *', run: checkAudit },
  { name: 'check_identity_providers', at: '40 4 * * *', run: checkProviders },
  { name: 'check_stored_figures', at: '50 3 * * *', run: checkStoredFigures },
  { name: 'contract_schema', at: '*/5 * * * *', run: (ctx) => contractSchema(ctx) },
  { name: 'deliver_mail', at: '* * * * *', run: deliverMail },
  { name: 'end_leavers', at: '*/15 * * * *', run: endLeavers },
  { name: 'erase_import_cells', at: '45 2 * * *', run: eraseCells },
  { name: 'expire_imports', at: '40 2 * * *', run: expireImports },
  { name: 'find_newly_eligible', at: '0 5 * * *', run: findNewlyEligible },
  { name: 'fold_employee_counts', at: '* * * * *', run: foldEmployeeCounts },
  { name: 'fold_evaluation_counts', at: '* * * * *', run: foldEvaluationCounts },
  { name: 'fold_review_counts', at: '* * * * *', run: foldReviewCounts },
  { name: 'forget_account_links', at: '17 2 * * *', run: deleteAccountLinks },
  { name: 'forget_budgets', at: '30 2 * * *', run: deleteBudgets },
  { name: 'forget_events', at: '32 2 * * *', run: deleteEvents },
  { name: 'forget_webhook_deliveries', at: '34 2 * * *', run: deleteDeliveries },
  { name: 'forget_login_tries', at: '5 * * * *', run: deleteLoginTries },
  { name: 'forget_kpi_bulks', at: '35 2 * * *', run: deleteEvaluationBulks },
  { name: 'forget_idempotency_keys', at: '10 * * * *', run: deleteIdempotencyKeys },
  { name: 'forget_own_account_links', at: '18 2 * * *', run: deleteOwnAccountLinks },
  { name: 'forget_private_looks', at: '25 * * * *', run: deletePrivateLooks },
  { name: 'forget_rate_counts', at: '*/10 * * * *', run: deleteRateCounts },
  { name: 'forget_read_notifications', at: '15 2 * * *', run: deleteReadNotifications },
  { name: 'forget_replaced_jobs', at: '*/5 * * * *', run: deleteReplacedJobs },
  { name: 'forget_scim_requests', at: '29 2 * * *', run: deleteScimRequests },
  { name: 'forget_sso_tries', at: '27 2 * * *', run: deleteSsoTries },
  { name: 'forget_used_once', at: '22 * * * *', run: deleteUsedOnce },
  { name: 'forget_saml_requests', at: '24 * * * *', run: deleteSamlRequests },
  { name: 'forget_sessions', at: '20 2 * * *', run: deleteSessions },
  { name: 'forget_known_origins', at: '25 2 * * *', run: deleteKnownOrigins },
  { name: 'give_up_kpi_bulks', at: '* * * * *', run: giveUpBulks },
  { name: 'give_up_publishing', at: '* * * * *', run: giveUpPublishing },
  { name: 'open_probation_milestones', at: '*/15 * * * *', run: openMilestones },
  { name: 'open_probation_reviews', at: '*/15 * * * *', run: openDueReviews },
  { name: 'post_to_chat', at: '*/15 * * * *', run: postToChat },
  { name: 'prepare_audit_log', at: '25 2 * * *', run: prepareAuditLog },
  { name: 'prune_task_candidates', at: '* * * * *', run: pruneCandidates },
  { name: 'remind_of_certificates', at: '32 6 * * *', run: remindOfCertificates },
  { name: 'remind_of_kpi', at: '*/15 * * * *', run: remindDue },
  { name: 'remind_of_tokens', at: '30 6 * * *', run: remindOfTokens },
  { name: 'remind_of_probation', at: '*/15 * * * *', run: remindOfEndings },
  { name: 'remove_deleted_files', at: '35 * * * *', run: removeDeletedFiles },
  { name: 'reseal_secrets', at: '55 * * * *', run: resealSecrets },
  { name: 'rotate_client_keys', at: '20 4 * * *', run: rotateKeys },
  { name: 'resume_imports', at: '* * * * *', run: resumeImports },
  { name: 'skip_self_assessments', at: '*/15 * * * *', run: skipSelfAssessments },
  { name: 'start_joiners', at: '*/15 * * * *', run: startJoiners },
  { name: 'sweep_files', at: '50 * * * *', run: sweepFiles },
];

/** The tasks that `addJob` starts, by name. */
export const tasks: Readonly<Record<string, Task>> = {
  [applyTask]: applyRoleRules,
  change_kpi_evaluations: changeEvaluationsJob,
  move_kpi_due_days: moveRemainingDueDays,
  publish_kpi_cycle: publishCycleJob,
  remind_kpi_cycle: remindRemaining,
  retry_backup: retryBackup,
  run_import: runImportJob,
  notify_kpi_openings: notifyRemainingOpenings,
  notify_missing_kpi_reviewers: notifyMissingKpiReviewers,
  notify_missing_probation_reviewers: notifyMissingProbationReviewers,
  [requestTask]: sendRequestedReset,
  settle_kpi_days: settleKpiDays,
};
