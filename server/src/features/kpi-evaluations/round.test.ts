import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow } from '../../testing/make-kpi.ts';
import type { MadeEmployee } from '../../testing/make.ts';
import { Round, rowsOf } from '../../testing/round-table.ts';
import { rules } from './transitions.ts';

/** A KPI round of a group of forty people in four departments, from the first template to the closed cycle. */

const app = await startApp();
const { make, owner, as } = app;

const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, n) => `${letter}${n + 1}`);
const groups: Record<string, readonly string[]> = {
  HR: ['hana', 'hugo'],
  'p*': numbered('p', 5),
  's*': numbered('s', 6),
  'w*': numbered('w', 6),
  'f*': numbered('f', 5),
  buyers: ['omar', 'jon', 'ida', 'lena', 'max', ...numbered('p', 5)],
  sellers: ['sara', 'tom', 'ben', 'eva', ...numbered('s', 6)],
  workers: ['wes', 'finn', 'gus', 'kim', ...numbered('w', 6)],
  office: ['clara', 'hana', 'hugo', 'nina', 'pia', ...numbered('f', 5)],
};
const everybody = ['buyers', 'sellers', 'workers', 'office'].flatMap((name) => groups[name] ?? []);
groups['all'] = everybody.filter((name) => name !== 'nina');

const teams = [
  { department: 'Buying', members: 'buyers', head: 'omar' },
  { department: 'Selling', members: 'sellers', head: 'sara' },
  { department: 'Making', members: 'workers', head: 'wes' },
  { department: 'Finance', members: 'office', head: 'clara' },
];
const roles: Record<string, 'Manager' | 'TeamLead' | 'HR'> = {
  omar: 'Manager',
  sara: 'Manager',
  wes: 'Manager',
  clara: 'Manager',
  tom: 'TeamLead',
  hana: 'HR',
  hugo: 'HR',
};

/** Clara is above the other heads, Tom above most of the salespeople; Vera of the board is in no reporting line. */
function managerOf(name: string, head: string): string | null {
  if (name === 'clara') return null;
  if (name === head) return 'clara';
  return head === 'sara' && name !== 'tom' ? 'tom' : head;
}

async function company() {
  const { id: entity_id } = await make.entity();
  const [people, departments] = [new Map<string, MadeEmployee>(), new Map<string, number>()];
  for (const { department, members } of teams) {
    const { id: department_id } = await make.department({ entity_id, name: department });
    departments.set(department, department_id);
    for (const first_name of groups[members] ?? []) {
      const probation = first_name === 'nina' && {
        employment_lifecycle: 'probationary',
        probation_end_date: dayFromNow(60),
      };
      const fields = {
        first_name,
        last_name: 'Reed',
        department_id,
        roles: [roles[first_name] ?? 'Employee'] as const,
      };
      people.set(first_name, await make.employee({ ...fields, ...probation }));
    }
  }
  for (const { department, members, head } of teams) {
    await owner.query('update departments set manager_id = $1 where name = $2', [people.get(head)?.id, department]);
    for (const name of groups[members] ?? [])
      await owner.query(
        `update employees set reporting_manager_id = (select id from employees where first_name = $1)
         where first_name = $2`,
        [managerOf(name, head), name],
      );
  }
  people.set('vera', await make.employee({ entity_id, first_name: 'vera', last_name: 'Reed', roles: ['Manager'] }));
  const clients = new Map([['admin', await as((await make.admin()).user_id)]]);
  for (const [name, { user_id }] of people) clients.set(name, await as(user_id));
  return { app, people, departments, clients, templates: new Map<string, number>(), cycles: new Map<string, number>() };
}

// server/src/testing/round-table.ts describes how to read it
const table = `
T1  | hana  | make template: Buyers                | Buyers active | |
T1  | hana  | draft template: Sellers              | Sellers draft | |
T2  | hana  | activate: Sellers                    | Sellers active | |
T1  | hana  | duplicate: Buyers Office             | Office draft | |
    | hana  | change items: Office                 | | |
T2  | hana  | activate: Office                     | Office active | |
T1  | hana  | duplicate: Sellers Spare             | Spare draft | |
T2  | hana  | activate: Spare                      | Spare active | |
T3  | hana  | archive: Spare                       | Spare archived | |
T2  | hana  | activate: Spare                      | Spare active | |
T4  | hana  | delete template: Spare               | Spare gone | |

C1  | hana  | make cycle: Q1                       | Q1 draft | |
C1  | hana  | make cycle: Mistake                  | Mistake draft | |
C9  | hana  | delete cycle: Mistake                | Mistake gone | |
C3  | hana  | assign: Buying Buyers                | | |
C3  | hana  | assign: Selling Sellers              | | |
C3  | hana  | assign: Making Buyers                | | |
C3  | hana  | remove: Making                       | | |
C3  | hana  | assign: Making Office                | | |
C3  | hana  | assign: Finance Office               | | |
C2  | hana  | set windows                          | | |
C4  | hana  | preflight: 39 1 1                    | | |
C5  | hana  | publish refused                      | | |
C5 E1 | hana | publish                             | Q1 published; all self_assessment | +all:self +HR:reviewer:clara | all:evaluation_assigned hugo,omar,sara,wes,clara:cycle_published:Q1
    | hana  | confirm: nina                        | | | hugo,clara,nina:employee_confirmed:nina
C5 E1 | hana | publish                             | nina self_assessment | +nina:self | nina:evaluation_assigned
E7  | hana  | reviewer: clara vera                 | | -HR:reviewer:clara | vera:reviewer_changed:clara
E7  | hugo  | reviewer: ben sara                   | | | tom,sara:reviewer_changed:ben

E2  | jon   | draft-self: jon 5                    | | |
E3  | jon   | self-assessment: jon 5 4 4           | jon manager_review 4.4 | -jon:self +omar:review:jon | omar:self_assessment_submitted:jon
E3  | each  | self-assessment: p* 5 4 4            | p* manager_review 4.4 | -p*:self +omar:review:p* | omar:self_assessment_submitted:p*
E3  | each  | self-assessment: eva,s* 12 4         | eva,s* manager_review 3.5 | -eva,s*:self +tom:review:eva,s* | tom:self_assessment_submitted:eva,s*
E3  | each  | self-assessment: tom,ben 12 4        | tom,ben manager_review 3.5 | -tom,ben:self +sara:review:tom,ben | sara:self_assessment_submitted:tom,ben
E3  | each  | self-assessment: finn,w* 3 5         | finn,w* manager_review 3.8 | -finn,w*:self +wes:review:finn,w* | wes:self_assessment_submitted:finn,w*
E3  | omar  | self-assessment: omar 5 4 4          | omar manager_review 4.4 | -omar:self +clara:review:omar | clara:self_assessment_submitted:omar
E3  | sara  | self-assessment: sara 12 4           | sara manager_review 3.5 | -sara:self +clara:review:sara | clara:self_assessment_submitted:sara
E3  | wes   | self-assessment: wes 3 5             | wes manager_review 3.8 | -wes:self +clara:review:wes | clara:self_assessment_submitted:wes
E3  | clara | self-assessment: clara 3 5           | clara manager_review 3.8 | -clara:self +vera:review:clara | vera:self_assessment_submitted:clara
E3  | each  | self-assessment: hana,hugo,nina,pia,f* 3 5 | hana,hugo,nina,pia,f* manager_review 3.8 | -hana,hugo,nina,pia,f*:self +clara:review:hana,hugo,nina,pia,f* | clara:self_assessment_submitted:hana,hugo,nina,pia,f*
C6  | hana  | remind: self                         | | | lena,ida,max,kim,gus:deadline_reminder
C6  | hana  | remind: self                         | | |
C2  | hana  | end self window                      | | | lena,ida,max,kim,gus:cycle_window_changed:Q1
E4  | lena  | extension-request: lena              | | +HR:more-time:lena -lena:self | HR:extension_requested:lena
E5  | hana  | extension-decision: lena approved 3  | | -HR:more-time:lena +lena:self | lena:extension_decided
E3  | lena  | self-assessment: lena 5 4 4          | lena manager_review 4.4 | -lena:self +omar:review:lena | omar:self_assessment_submitted:lena
E4  | ida   | extension-request: ida               | | +HR:more-time:ida -ida:self | HR:extension_requested:ida
E5  | hugo  | extension-decision: ida rejected     | | -HR:more-time:ida +ida:self | ida:extension_decided
E6  | hugo  | skip-self-assessment: ida            | ida manager_review | -ida:self +omar:review:ida | omar:self_assessment_submitted:ida
E4  | gus   | extension-request: gus               | | +HR:more-time:gus -gus:self | HR:extension_requested:gus
E5  | hana  | extension-decision: gus approved 10  | | -HR:more-time:gus +gus:self | gus:extension_decided
E20 | hana  | cancel: kim                          | kim cancelled | -kim:self | kim,wes:evaluation_cancelled:kim
C2  | hana  | skip by clock                        | | |
E6  | clock | skip-self-assessments                | max manager_review | -max:self +omar:review:max | omar:self_assessment_submitted:max
E21 | hana  | restore: kim                         | kim self_assessment | +kim:self | kim,wes:evaluation_reopened:kim

E2  | omar  | draft-review: jon 1                  | | |
E9  | omar  | return: jon 5                        | jon self_assessment | -omar:review:jon +jon:self | jon:evaluation_returned
E3  | jon   | self-assessment: jon 5 4 4           | jon manager_review 4.4 | -jon:self +omar:review:jon | omar:self_assessment_submitted:jon
E8  | omar  | manager-review: jon 4 5 3            | jon hr_review 4.4 4.08 81.6 | -omar:review:jon +HR:hr:jon | HR:manager_review_submitted:jon
E10 | hana  | return: jon                          | jon manager_review 4.4 | -HR:hr:jon +omar:review:jon | omar:evaluation_returned:jon
E8  | omar  | manager-review: jon,lena,p* 4 5 3    | jon,lena,p* hr_review 4.4 4.08 81.6 | -omar:review:jon,lena,p* +HR:hr:jon,lena,p* | HR:manager_review_submitted:jon,lena,p*
E8  | omar  | manager-review: ida,max 4 5 3        | ida,max hr_review - 4 80 | -omar:review:ida,max +HR:hr:ida,max | HR:manager_review_submitted:ida,max
E8  | sara  | manager-review: eva 9 4              | eva hr_review 3.5 4.3 86 | -tom:review:eva +HR:hr:eva | HR:manager_review_submitted:eva
E8  | tom   | manager-review: s* 9 4               | s* hr_review 3.5 4.3 86 | -tom:review:s* +HR:hr:s* | HR:manager_review_submitted:s*
E8  | sara  | manager-review: tom,ben 9 4          | tom,ben hr_review 3.5 4.3 86 | -sara:review:tom,ben +HR:hr:tom,ben | HR:manager_review_submitted:tom,ben
E8  | vera  | manager-review: clara 4 2            | clara hr_review 3.8 3.32 66.4 | -vera:review:clara +HR:hr:clara | HR:manager_review_submitted:clara
E8  | wes   | manager-review: finn,w* 4 2          | finn,w* hr_review 3.8 3.32 66.4 | -wes:review:finn,w* +HR:hr:finn,w* | HR:manager_review_submitted:finn,w*
E8  | clara | manager-review: omar 4 5 3           | omar hr_review 4.4 4.08 81.6 | -clara:review:omar +HR:hr:omar | HR:manager_review_submitted:omar
E8  | clara | manager-review: sara 9 4             | sara hr_review 3.5 4.3 86 | -clara:review:sara +HR:hr:sara | HR:manager_review_submitted:sara
E8  | clara | manager-review: wes,hana,hugo,nina,pia,f* 4 2 | wes,hana,hugo,nina,pia,f* hr_review 3.8 3.32 66.4 | -clara:review:wes,hana,hugo,nina,pia,f* +HR:hr:wes,hana,hugo,nina,pia,f* | HR:manager_review_submitted:wes,hana,hugo,nina,pia,f*

E2  | hana  | draft-hr: jon                        | | |
E11 | hana  | hr-review: jon standard              | jon pending_acceptance 4.4 4.08 81.6 | -HR:hr:jon +jon:answer | jon:hr_review_submitted
E11 | hana  | hr-review: lena,omar,p* standard     | lena,omar,p* pending_acceptance 4.4 4.08 81.6 | -HR:hr:lena,omar,p* +lena,omar,p*:answer | lena,omar,p*:hr_review_submitted
E11 | hugo  | hr-review: ida,max standard          | ida,max pending_acceptance - 4 80 | -HR:hr:ida,max +ida,max:answer | ida,max:hr_review_submitted
E11 | hugo  | hr-review: sellers standard          | sellers pending_acceptance 3.5 4.3 86 | -HR:hr:sellers +sellers:answer | sellers:hr_review_submitted
E11 | hugo  | hr-review: wes,finn,w*,clara,hana,nina,f* standard | wes,finn,w*,clara,hana,nina,f* pending_acceptance 3.8 3.32 66.4 | -HR:hr:wes,finn,w*,clara,hana,nina,f* +wes,finn,w*,clara,hana,nina,f*:answer | wes,finn,w*,clara,hana,nina,f*:hr_review_submitted
E11 | hana  | hr-review: hugo standard             | hugo pending_acceptance 3.8 3.32 66.4 | -HR:hr:hugo +hugo:answer | hugo:hr_review_submitted

E12 | jon   | accept: jon                          | jon accepted 4.4 4.08 81.6 | -jon:answer +HR:close:jon | HR:evaluation_accepted:jon
E12 | each  | accept: ida                          | ida accepted - 4 80 | -ida:answer +HR:close:ida | HR:evaluation_accepted:ida
E12 | each  | accept: omar,p5                      | omar,p5 accepted 4.4 4.08 81.6 | -omar,p5:answer +HR:close:omar,p5 | HR:evaluation_accepted:omar,p5
E12 | each  | accept: sara,tom,ben,s*              | sara,tom,ben,s* accepted 3.5 4.3 86 | -sara,tom,ben,s*:answer +HR:close:sara,tom,ben,s* | HR:evaluation_accepted:sara,tom,ben,s*
E12 | each  | accept: wes,finn,w*,clara,hana,hugo,nina,f* | wes,finn,w*,clara,hana,hugo,nina,f* accepted 3.8 3.32 66.4 | -wes,finn,w*,clara,hana,hugo,nina,f*:answer +HR:close:wes,finn,w*,clara,hana,hugo,nina,f* | HR:evaluation_accepted:wes,finn,w*,clara,hana,hugo,nina,f*
E13 | each  | dispute: p1,p2,p3,p4                 | p1,p2,p3,p4 disputed 4.4 4.08 81.6 | -p1,p2,p3,p4:answer +HR:dispute:p1,p2,p3,p4 | HR,omar:evaluation_disputed:p1,p2,p3,p4
E15 | hugo  | resolve-dispute: p1 maintained       | p1 completed 4.4 4.08 81.6 | -HR:dispute:p1 | p1,omar:evaluation_completed:p1
E16 | hugo  | resolve-dispute: p2 modified 5       | p2 completed 4.4 4.4 88 | -HR:dispute:p2 | p2,omar:evaluation_completed:p2
E17 | hugo  | resolve-dispute: p3 returned         | p3 manager_review 4.4 | -HR:dispute:p3 +omar:review:p3 | p3,omar:evaluation_returned:p3
E8  | omar  | manager-review: p3 5 5 3             | p3 hr_review 4.4 4.4 88 | -omar:review:p3 +HR:hr:p3 | HR:manager_review_submitted:p3
E11 | hana  | hr-review: p3 standard               | p3 pending_acceptance 4.4 4.4 88 | -HR:hr:p3 +p3:answer | p3:hr_review_submitted
E12 | p3    | accept: p3                           | p3 accepted 4.4 4.4 88 | -p3:answer +HR:close:p3 | HR:evaluation_accepted:p3
E19 | hana  | force-close: p4                      | p4 completed 4.4 4.08 81.6 | -HR:dispute:p4 | p4,omar:evaluation_completed:p4

C6  | hana  | remind: acceptance                   | | | lena,max,eva:deadline_reminder
    | clock | days pass: 8                         | | |
J6  | clock | reminders                            | | | lena,max,eva,kim,gus:deadline_reminder
E14 | hana  | deem-accepted: lena                  | lena accepted 4.4 4.08 81.6 | -lena:answer +HR:close:lena | lena,HR:acceptance_lapsed:lena
E11 | hana  | hr-review: pia standard              | pia pending_acceptance 3.8 3.32 66.4 | -HR:hr:pia +pia:answer | pia:hr_review_submitted
C2  | hana  | accept by clock                      | | |
E14 | clock | accept-lapsed                        | max accepted - 4 80; eva accepted 3.5 4.3 86 | -max,eva:answer +HR:close:max,eva | max,HR:acceptance_lapsed:max eva,HR:acceptance_lapsed:eva

E18 | hana  | close: jon                           | jon completed 4.4 4.08 81.6 | -HR:close:jon | jon:evaluation_completed
E18 | hugo  | bulk-close: lena,omar,p5             | lena,omar,p5 completed 4.4 4.08 81.6 | -HR:close:lena,omar,p5 | lena,omar,p5:evaluation_completed
E18 | hugo  | bulk-close: p3                       | p3 completed 4.4 4.4 88 | -HR:close:p3 | p3,omar:evaluation_completed:p3
E18 | hugo  | bulk-close: ida,max                  | ida,max completed - 4 80 | -HR:close:ida,max | ida,max:evaluation_completed
E19 | hana  | force-close: ben                     | ben completed 3.5 4.3 86 | -HR:close:ben | ben:evaluation_completed
E18 | hugo  | bulk-close: sara,tom,eva,s*          | sara,tom,eva,s* completed 3.5 4.3 86 | -HR:close:sara,tom,eva,s* | sara,tom,eva,s*:evaluation_completed
E18 | hugo  | bulk-close: wes,finn,w*,clara,hana,nina,f* | wes,finn,w*,clara,hana,nina,f* completed 3.8 3.32 66.4 | -HR:close:wes,finn,w*,clara,hana,nina,f* | wes,finn,w*,clara,hana,nina,f*:evaluation_completed
E18 | hana  | close: hugo                          | hugo completed 3.8 3.32 66.4 | -HR:close:hugo | hugo:evaluation_completed
E22 | hana  | reopen: jon                          | jon hr_review 4.4 4.08 81.6 | +HR:hr:jon | jon,omar:evaluation_reopened:jon
E11 | hugo  | hr-review: jon standard              | jon pending_acceptance 4.4 4.08 81.6 | -HR:hr:jon +jon:answer | jon:hr_review_submitted
E12 | jon   | accept: jon                          | jon accepted 4.4 4.08 81.6 | -jon:answer +HR:close:jon | HR:evaluation_accepted:jon
E18 | hugo  | close: jon                           | jon completed 4.4 4.08 81.6 | -HR:close:jon | jon:evaluation_completed

C7  | hana  | close refused                        | | |
C7 E19 E20 | hana | close by force                       | Q1 closed; pia completed 3.8 3.32 66.4; kim,gus cancelled | -pia:answer -kim,gus:self | pia:evaluation_completed kim,wes:evaluation_cancelled:kim gus,wes:evaluation_cancelled:gus hugo,omar,sara,wes,clara:cycle_closed:Q1
C8  | admin | reopen cycle                         | Q1 published | +hana:cycle:Q1 |
C7  | hana  | close cycle                          | Q1 closed | -hana:cycle:Q1 | hugo,omar,sara,wes,clara:cycle_closed:Q1
`;

const rows = rowsOf(table);

/** Steps tested elsewhere: people without a sign-in (no-sign-in.test.ts), bulk extensions (bulk/kinds.test.ts). */
const elsewhere = ['E23', 'E24', 'E25'];

test('the table takes every other transition of templates, cycles and evaluations', () => {
  const numbers = (letter: string, last: number) => Array.from({ length: last }, (_, n) => `${letter}${n + 1}`);
  const all = [...numbers('T', 4), ...numbers('C', 9), ...numbers('E', 22)];
  expect([...new Set(rows.flatMap(({ step }) => step.split(' ')))]).toEqual(expect.arrayContaining(all));
  expect(rules.map(({ id }) => id).filter((id) => ![...all, ...elsewhere].includes(id))).toEqual([]);
});

test('a whole round, row by row', { timeout: 300_000 }, async () => {
  const round = new Round(await company(), groups);
  for (const row of rows) {
    const { found, expected } = await round.play(row);
    expect(found, `after ${row.step}, ${row.who}: ${row.what} ${row.about}`).toEqual(expected);
  }
});
