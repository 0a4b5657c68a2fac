/** What letters say in English, and the texts their templates come with. */
export const en = {
  templates: {
    confirmation: {
      title: 'Confirmation of employment',
      body: `Dear {{employee_name}},

your probation, which ends on {{probation_end_date}}, has been completed successfully. We are pleased to confirm your employment with {{company}} in the department {{department}}, with effect from {{effective_date}}.

All other terms of your contract remain unchanged.

We thank you for your work and look forward to the time ahead.`,
    },
    extension: {
      title: 'Extension of probation',
      body: `Dear {{employee_name}},

your probation was to end on {{probation_end_date}}. After the review we have decided to extend it by {{extension_months}}, from {{effective_date}} until {{new_probation_end_date}}.

All other terms of your contract remain unchanged. {{reviewer_name}} will talk with you about what is expected until then.`,
    },
    termination: {
      title: 'End of employment',
      body: `Dear {{employee_name}},

after the review of your probation, which ends on {{probation_end_date}}, we have decided to end your employment with {{company}}. Your last working day is {{effective_date}}.

We thank you for your work and wish you well.`,
    },
    review_record: {
      title: 'Record of a probation review',
      body: `This is the probation review of {{employee_name}} ({{employee_number}}) at {{company}} as it was decided on {{decided_on}}. This copy was made on {{today}}.`,
    },
  },
  none: '–',
  employee: 'Employee',
  company: 'Company',
  department: 'Department',
  jobTitle: 'Job title',
  probation: 'Probation',
  period: (from: string, to: string) => `${from} to ${to}`,
  until: (to: string) => `until ${to}`,
  reviewer: 'Reviewer',
  review: 'Review',
  reviewOf: (sequence: number, round: number) => `No. ${sequence}, round ${round}`,
  reviewDate: 'Date of the meeting',
  assessment: 'Assessment',
  rating: 'Rating',
  ratingOf: (rating: number) => `${rating} of 5`,
  score: 'Score of the criteria',
  criterion: (rating: string, weight: string, comment: string) =>
    `${rating} (weight ${weight})${comment === '' ? '' : `: ${comment}`}`,
  strengths: 'Strengths',
  improvements: 'Improvements',
  comments: 'Comments',
  recommendation: 'Recommendation',
  decision: 'Decision',
  outcomes: { confirm: 'Confirm', extend: 'Extend', terminate: 'Terminate' },
  effectiveDate: 'Effective from',
  decided: 'Decided',
  byOn: (name: string, at: string) => `${name}, ${at}`,
  hrComments: 'Comments of HR',
  acknowledged: 'Acknowledged',
  employeeComment: 'Comment of the employee',
  reverted: 'Decision taken back',
  signatures: 'Signatures',
  roles: { manager: 'Reviewer', hr: 'Human resources', employee: 'Employee' },
  signed: (role: string, at: string, round: number) => `${role}, signed on ${at}, round ${round}`,
  earlier: 'Signatures that no longer count',
  voided: (signed: string, name: string, at: string) => `${name}: ${signed}, void since ${at}`,
  hash: (hash: string) => `SHA-256 ${hash}`,
  verify: (id: number, hash: string, address: string) =>
    `This document shows probation review ${id}. Its content has the SHA-256 hash ${hash}. To verify it, open ${address}: each signature must match, and the hash of the decision there must be this one.`,
  page: 'Page {page} of {pages}',
};

export type LetterTexts = typeof en;
