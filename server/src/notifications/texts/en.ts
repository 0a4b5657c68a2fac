import type { Language } from './shape.ts';

/**
 * What people read of each event. `kind` is all a mail says. In titles and bodies {person} is the name of whom it is
 * about, the other placeholders mean what they are called; days are `YYYY-MM-DD`. `own` is what that person reads.
 */
export const en = {
  test: 'Test: {text}',
  mail: {
    greeting: 'Hello {name},',
    open: 'Open Tenure',
    several: '{count} new notifications',
    reason: 'Tenure sent this mail because you have an account.',
  },
  passwordLink: {
    subject: 'Choose a new password',
    intro: 'You have been asked to choose a new password. Open this link to do so:',
    open: 'Choose a password',
    once: 'The link works once and ends 72 hours after it was asked for. Nobody else gets it: do not pass it on. If you did not expect it, please tell HR.',
  },
  events: {
    kpi_evaluation_assigned: {
      kind: 'A KPI evaluation waits for you',
      title: 'Your {cycle} evaluation has begun',
      body: 'Please complete your self-assessment by {date}.',
    },
    kpi_hr_review_submitted: {
      kind: 'Your KPI result is ready',
      title: 'Your {cycle} result is ready',
      body: 'Please accept or dispute it by {date}.',
    },
    kpi_self_assessment_submitted: {
      kind: 'A KPI evaluation is ready for its review',
      title: '{person} is ready for your review',
      body: 'The self-assessment for {cycle} was handed over to you.',
      skipped: { title: '{person} is ready for your review', body: 'The self-assessment for {cycle} was skipped.' },
      unassigned: { title: 'Nobody can review {person} for {cycle}', body: 'Please choose a reviewer.' },
    },
    kpi_manager_review_submitted: {
      kind: 'A KPI evaluation waits for HR',
      title: '{person} is ready for the HR review',
      body: 'The review of the manager for {cycle} is complete.',
    },
    kpi_evaluation_accepted: {
      kind: 'A KPI result was accepted',
      title: '{person} accepted the {cycle} result',
      body: 'The evaluation can be closed.',
    },
    kpi_evaluation_disputed: {
      kind: 'A KPI result was disputed',
      title: '{person} disputes the {cycle} result',
      body: 'Please look at the reasons and decide.',
    },
    kpi_acceptance_lapsed: {
      kind: 'The time to accept a KPI result is over',
      title: 'The {cycle} result of {person} counts as accepted',
      body: 'Nobody answered in time.',
      own: { title: 'Your {cycle} result counts as accepted', body: 'The time to answer is over.' },
    },
    kpi_evaluation_returned: {
      kind: 'A KPI evaluation was sent back',
      title: 'The {cycle} evaluation of {person} was sent back to you',
      body: 'Please look at the reasons and hand it over again.',
      own: {
        title: 'Your {cycle} evaluation was sent back to you',
        body: 'Please look at the reasons and hand it over again.',
      },
      own_after_dispute: {
        title: 'Your {cycle} evaluation is reviewed again',
        body: 'Your dispute was looked at: the evaluation is with the reviewer now.',
      },
    },
    kpi_evaluation_completed: {
      kind: 'A KPI evaluation is complete',
      title: 'The {cycle} evaluation of {person} is complete',
      body: 'The result is final.',
      own: { title: 'Your {cycle} evaluation is complete', body: 'The result is final.' },
      own_modified: {
        title: 'Your {cycle} result was changed',
        body: 'Your dispute was settled: {before} became {after}. The result is final.',
      },
      modified: {
        title: 'The {cycle} result of {person} was changed',
        body: 'The dispute was settled: {before} became {after}. The result is final.',
      },
    },
    kpi_evaluation_reopened: {
      kind: 'A KPI evaluation was opened again',
      title: 'The {cycle} evaluation of {person} was opened again',
      body: 'Its page says what comes next.',
      own: { title: 'Your {cycle} evaluation was opened again', body: 'Its page says what comes next.' },
    },
    kpi_evaluation_cancelled: {
      kind: 'A KPI evaluation was cancelled',
      title: 'The {cycle} evaluation of {person} was cancelled',
      body: 'There is nothing left to do.',
      own: { title: 'Your {cycle} evaluation was cancelled', body: 'There is nothing left to do.' },
    },
    kpi_reviewer_changed: {
      kind: 'The reviewer of a KPI evaluation changed',
      title: 'You review {person} for {cycle}',
      body: 'The evaluation was given to you.',
      former: { title: 'You no longer review {person} for {cycle}', body: 'Somebody else took over.' },
    },
    kpi_extension_requested: {
      kind: 'Somebody asks for more time',
      title: '{person} asks for more time for {cycle}',
      body: 'Please decide about the self-assessment.',
    },
    kpi_extension_decided: {
      kind: 'Your request for more time was decided',
      title: 'You have until {date} for {cycle}',
      body: 'More time for your self-assessment was granted.',
      rejected: { title: 'No more time for {cycle}', body: 'Your request for more time was not granted.' },
    },
    kpi_deadline_reminder: {
      kind: 'KPI deadline reminder',
      title: '{cycle}: due on {date}',
      body: 'The evaluation of {person} waits for you.',
      own: { title: '{cycle}: due on {date}', body: 'Your evaluation waits for you.' },
    },
    kpi_cycle_published: {
      kind: 'A KPI cycle began',
      title: '{cycle} began',
      body: '{count, plural, one {# person takes part} other {# people take part}}.',
      stopped: {
        title: '{cycle}: publishing stopped',
        body: '{count, plural, one {# person has an evaluation} other {# people have their evaluations}}. Publish it again for the others.',
      },
    },
    kpi_cycle_closed: { kind: 'A KPI cycle was closed', title: '{cycle} was closed', body: 'Its results are final.' },
    kpi_cycle_window_changed: {
      kind: 'The dates of a KPI cycle changed',
      title: '{cycle}: your step is due on {date} now',
      body: 'The dates of the cycle changed.',
      opens: { title: '{cycle}: your step opens on {date} now', body: 'The dates of the cycle changed.' },
      open: { title: '{cycle}: your step is open now', body: 'The dates of the cycle changed.' },
    },
    probation_review_created: {
      kind: 'A probation review waits for you',
      title: 'Please review the probation of {person}',
      body: 'It is due on {date}.',
      unassigned: {
        title: 'Nobody can review the probation of {person}',
        body: 'Please choose a reviewer. The review is due on {date}.',
      },
    },
    probation_review_sent_back: {
      kind: 'A probation review was sent back to you',
      title: 'The probation review of {person} was sent back to you',
      body: 'Please look at the reasons and submit it again.',
    },
    probation_review_submitted: {
      kind: 'A probation review waits for a decision',
      title: 'Please decide on the probation of {person}',
      body: 'It ends on {date}.',
    },
    probation_review_recalled: {
      kind: 'A probation review was recalled',
      title: 'The probation review of {person} was recalled',
      body: 'The reviewer works on it again.',
    },
    probation_review_approved: {
      kind: 'A probation review was decided',
      title: 'The probation of {person} was decided',
      body: 'The review is complete.',
      own: { title: 'Your probation was decided', body: 'Please read the decision and acknowledge it.' },
    },
    probation_review_reverted: {
      kind: 'A probation decision was taken back',
      title: 'The probation decision about {person} was taken back',
      body: 'The probation goes on until {date}.',
      own: { title: 'The decision about your probation was taken back', body: 'It goes on until {date}.' },
    },
    probation_review_cancelled: {
      kind: 'A probation review was cancelled',
      title: 'The probation review of {person} was cancelled',
      body: 'There is nothing left to do.',
    },
    probation_reviewer_changed: {
      kind: 'The reviewer of a probation changed',
      title: 'You review the probation of {person}',
      body: 'The review was given to you.',
      former: { title: 'You no longer review the probation of {person}', body: 'Somebody else took over.' },
    },
    probation_ending_reminder: {
      kind: 'A probation ends',
      title: 'The probation of {person} ends on {date}',
      body: 'It is not decided yet.',
    },
    employee_created: {
      kind: 'A person was added',
      title: '{person} joined {company}',
      body: 'The record and the account are ready.',
    },
    employee_confirmed: {
      kind: 'A person was confirmed',
      title: '{person} was confirmed',
      body: 'The probation ended on {date}.',
      own: { title: 'You were confirmed', body: 'Your probation ended on {date}.' },
    },
    employee_separated: {
      kind: 'A person leaves',
      title: '{person} leaves',
      body: 'The last working day is {date}.',
    },
    job_change_applied: {
      kind: 'A change of job took effect',
      title: '{person} reports to you',
      body: 'The change counts from {date}.',
      own: { title: 'Your job changed', body: 'The change counts from {date}.' },
    },
    job_change_cancelled: {
      kind: 'A scheduled change of job was cancelled',
      title: 'A change of job of {person} was cancelled',
      body: 'It was to count from {date}. Whoever scheduled it may not make it any more. Please schedule it again if it is still meant.',
      own: {
        title: 'A change of job you scheduled was cancelled',
        body: 'It was to count from {date}. You may not make it any more. HR of the person knows.',
      },
    },
    password_reset_by_admin: {
      kind: 'A one-time password was issued for your account',
      title: 'A one-time password was issued for your account',
      body: '{actor} saw it, and all your sessions ended. If you did not ask for it, please tell HR.',
    },
    password_link: {
      kind: 'Choose a new password',
      title: 'A link to choose a new password was sent to you',
      body: '{actor} sent it to {address}. It works once, for 72 hours. If you did not ask for it, please tell HR.',
    },
    password_shown: {
      kind: 'A one-time password was shown on a screen',
      title: '{actor} issued a one-time password for {person}',
      body: 'It was shown on the screen of {actor}. If this was not agreed on, end the sessions of this account.',
      many: {
        title: '{actor} issued {count} one-time passwords',
        body: 'They were shown on the screen of {actor}. The audit log names the accounts.',
      },
    },
    role_changed: {
      kind: 'Your roles changed',
      title: 'Your roles changed',
      body: 'You have now: {roles}.',
    },
    account_security_notice: {
      kind: 'Security of your account',
      title: 'Your account was used from a new device',
      body: 'Address {ip}, {device}. If this was not you, change your password and end the other sessions.',
      failures: {
        title: 'Your account was opened after {count, plural, one {# failed try} other {# failed tries}}',
        body: 'Address {ip}, {device}. If this was not you, change your password and end the other sessions.',
      },
      password: {
        title: 'Your password was changed',
        body: 'All other sessions ended. If this was not you, please tell HR at once.',
      },
      email: {
        title: 'Your e-mail address was changed',
        body: 'You sign in with {address} now. If this is not right, please tell HR at once.',
      },
      voided: {
        title: 'Your password is no longer valid',
        body: 'Your account may do more than before, and somebody else may know your password. All your sessions ended. HR or an administrator gives you another one.',
      },
      voided_other: {
        title: 'The password of {person} is no longer valid',
        body: 'The account may do more than whoever issued its password. {person} needs another one, from somebody who may do at least as much.',
      },
    },
    import_finished: {
      kind: 'An import finished',
      title: 'The import of {file} finished',
      body: '{created} created, {updated} updated, {skipped} skipped. With errors: {failed}.',
      checked: {
        title: '{file} was checked',
        body: '{valid} of {total} rows can be imported. With errors: {failed}.',
      },
      failed: {
        title: 'The import of {file} failed',
        body: '{created} created, {updated} updated before it ended.',
      },
    },
  },
} as const satisfies Language;

type Shape<T> = { readonly [K in keyof T]: T[K] extends string ? string : Shape<T[K]> };

/** Every text there is in English, in another language. */
export type Translation = Shape<typeof en>;
