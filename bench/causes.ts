/** Why rows on the page miss their targets. */

type Cause = { rows: RegExp; cause: string };

/** Why rows miss their target; the first entry whose pattern fits a row explains it. */
const causes: readonly Cause[] = [
  {
    rows: /^processor time of a write of a person with \d+ active webhooks/,
    cause:
      'A write sends the same statements with webhooks as without, and no trigger of it knows of them (a test). Measured apart at a load of 5 to 7 on two processors, the ratio was 0.99, 0.99 and 0.96: what is above it is what ran beside.',
  },
  {
    rows: /^SCIM, a request of the first cycle/,
    cause:
      'Nearly all requests are new users, 8 to 12 ms each by the median on a busy machine. The slow ones are 100 members added to a group with a role, measured apart 100 ms: 25 ms of Node and 64 of PostgreSQL, for roles, sessions, notifications and audit entries of 100 people. They are 30 of 5,200 requests.',
  },
  {
    rows: /^calendar of HR/,
    cause:
      'Measured apart on 30 November, 38 to 43 ms by the median and 67 to 80 at p95. The first 300 tasks of each kind and company are sorted, 12,100 rows, in 17 ms; ends of probations are read beside them in 6, and the names of what is shown take 5.',
  },
  {
    rows: /with a session : before/,
    cause:
      'Four starts, each side first in two of them, because of two services of one commit the one that starts first is up to 6 % dearer. Two such measurements gave 1.01 and 1.03. The row of a session has five columns more: 7 µs of PostgreSQL of 55, and 6 µs of Node, of some 390. Fewer columns in its place (the view as one value, the address compared in the statement, a proof without `date_part`) took no less. 1.05 is what we propose.',
  },
  {
    rows: /^requests of \d+ people who do not pause/,
    cause:
      'Client, service and PostgreSQL share two processors, so the client takes part of both rates. Measured apart beside other work, a request of the mix takes 5.9 ms of Node and PostgreSQL: searches have 1.4 of it, tasks 1.2, lists 1.0, the dashboard 0.8, records 0.7, changes 0.5. Searches alone became dearer (5.9 to 9.3 ms): they look inside words, and 2 ms of each were changes that waited for the index, which was mended before this run; the rate of the mix did not gain from it (1.72 before). Cheaper tasks and dashboards would mean more figures kept with each change. 1.5 is what we propose.',
  },
  {
    rows: /^tasks of HR/,
    cause:
      'Measured apart on 30 November, 13 ms by the median and 21 at p95; right after the run of 1 December, beside other work, 18 ms at p95 at full speed. PostgreSQL takes 6 of them for one statement over all kinds of tasks, whose plan takes 35 and is made once by each connection.',
  },
  {
    rows: /^people, page|^evaluations, page/,
    cause: 'PostgreSQL reads the index of all rows before the page, so the time grows with the page number.',
  },
  {
    rows: /^people who joined/,
    cause:
      'Its total is counted from an index of first days, less those who never came: 1.6 ms of PostgreSQL more than the plain list, whose total is kept. To keep totals for each first day would cost each change of a person a row.',
  },
  {
    rows: /^two web processes/,
    cause:
      'Client, service and PostgreSQL share two processors. One web process and PostgreSQL take 1.4 of them already, so a second one has little left to use; on more processors it has.',
  },
  {
    rows: /^(active |inactive )?people|^\/api\/me(:|$)/,
    cause:
      'By a profile of the list, a fifth of the time of Node is writing to sockets (two statements and the answer), a seventh our pipeline and rules, an eighth `pg`, a tenth garbage collection and a twentieth the query builder. 0.85 would mean a service without a framework, a serialiser or a query builder; at least 0.45 is what we propose instead. Fewer bytes of each row, and the session read in the statement of the list, are what is left.',
  },
  {
    rows: /^evaluations/,
    cause:
      'Compared with the minimal list of people, whose rows have a quarter of the columns; each row also has the actions of its reader. By a profile about 17 % each is writing to sockets and garbage, 12 % `pg`, 10 % rules of the workflow. At least 0.25 of that list, or 0.5 of a minimal list of evaluations, is what we propose. Totals that are added up by company took a third of its time of PostgreSQL away.',
  },
  {
    rows: /^the same compressed/,
    cause:
      'Compressing one page takes 0.5 ms of processor time, in Node and its threads; answers below 1.4 kB stay plain.',
  },
  {
    rows: /^(start on|idle memory)/,
    cause:
      'The process loads 1,170 modules: 15 MB of source text and 11 MB of code of a heap of 51 MB. A third of the memory is the program text of Node, which all processes of a machine share; a minute after the start it is some 15 MB less. Half of the processor time of a start finds, reads and links these modules: as one bundled file, measured apart, the service started with 1.2 s of processor time in place of 2.0, 0.6 s sooner, and took 180 MB in place of 190. It has no sources that an operator can read. 1.5 s and 200 MB are what we propose.',
  },
  {
    rows: /^200 people/,
    cause:
      'The sum of the processor times above: the mix takes both processors, and requests queue. On AMD EPYC processors the same mix had 343 requests a second and a p95 of 191 ms at full speed (27 November).',
  },
  {
    rows: /^dashboard/,
    cause:
      'Measured apart on 30 November, with fewer evaluations, 35 ms by the median and 51 at p95, in eight statements of up to 7 ms; in a run of the same day it was at target. What was beside it in this one was not found: changes of cycles come right before it.',
  },
  {
    rows: /^filters of evaluations/,
    cause:
      'What can be chosen is read out of the counts of evaluations, which have a row for each department, state and band: 40,000 with a million people.',
  },
  {
    rows: /^answer to the request to publish/,
    cause:
      'The answer plans all people again, so that what is published is what its publisher saw: it reads each person with the manager, department, template and earlier evaluation, and joins them into the hash of the plan. Few columns of each person and reviewers looked for by team gave 19 to 23 % less processor time of PostgreSQL, measured apart, in alternation beside other work, for the same hash. A tenth is sorting people for the hash. To answer earlier would mean to answer before it is known; 2 s for a decision of once a quarter is what we propose.',
  },
  {
    rows: /^publish to/,
    cause:
      'A job of two batches at once. One trigger that skips rows whose due day is known took the place of three: 18 to 22 % less processor time of PostgreSQL for a batch, measured apart, in alternation beside other work. Whole runs on different days do not show it. Of what is left a third are 13 foreign keys, which are checked row by row, a quarter entries of some 35 indexes, a twelfth the plan of the batch. One trigger that looks everything up in one statement still took an eighth of a batch; batches of 5,000 people instead of 2,000 gave nothing. The directory is read beside it without a pause in the first 10 s. 15 s for 100,000 people, of which others notice nothing, is what we propose.',
  },
  {
    rows: /^import of \d+ people, (dry|commit)/,
    cause:
      'Of 360 µs for a new person in `employees`, 37 indexes and stored columns take 270, foreign keys 45, candidates of tasks 35. The first job takes 150, half of it triggers and foreign keys.',
  },
  {
    rows: /^import of \d+ former/,
    cause:
      'Of 20,000 former jobs, measured apart beside other work, four fifths of the time are the writing, nearly all of it in PostgreSQL: periods of jobs, audit entries with their indexes, the rows of the import. The audit log is chained beside it.',
  },
  {
    rows: /^memory of the service while importing/,
    cause:
      'Measured apart, the same import in a freshly started service peaks at 364 MB: 67 MB are the code of Node, 160 MB the heap (92 MB after a garbage collection, 38 MB when idle), the rest buffers. In this run the service had answered all rows above first. Smaller batches would save some of the heap and cost time; 450 MB is what we propose.',
  },
  {
    rows: /^(frames missed|longest frame|longest task)/,
    cause:
      'The browser draws without a GPU on the processors it shares with the service; 3.4 % of frames were missed on another machine.',
  },
  {
    rows: /^(search of|probation ends|draft of|notifications of|unread notifications|export of|\/api\/me p99 (while|with \d+ open streams))/,
    cause: 'Near its target, which it met on another machine on 21 November (exports within 2 %).',
  },
];

/** For a million people; these take precedence over those above. */
const causesOfMillion: readonly Cause[] = [
  {
    rows: /^seeding/,
    cause:
      'Seeded once, with other work beside it, at 0.43 to 0.58 of full speed, which is 340 to 460 s there. The row takes the speed of a later run, which kept the data.',
  },
  {
    rows: /^movement of/,
    cause:
      'It reads who joined, left and moved in its months and the year before them: 213,400 joining days out of an index, grouped by month and by department. Kept counts by day and department would make it flat, and each change of a person a row longer.',
  },
  {
    rows: /^people, page|^evaluations, page/,
    cause:
      'PostgreSQL reads the index of all rows before the page, so the time grows with the page number: some 0.3 µs for each. To jump there, positions in each order would have to be kept, and each change of a person would move them.',
  },
  {
    rows: /^people as their manager/,
    cause:
      'The people of a manager are found by indexes and counted: 1.3 ms of PostgreSQL, and 2.0 ms with other work beside it, where the plain list has a kept total.',
  },
  {
    rows: /^people who joined/,
    cause:
      'Its total is counted from an index of first days: 6 ms of PostgreSQL. To keep totals for each first day would cost each change of a person a row.',
  },
  {
    rows: /^search for (a family name|two letters)/,
    cause:
      'The exact total visits each match: 12,345 people of a family name take 28 ms, 37,000 of two letters 85 ms, of which 30 are the index of words. Kept counts for each beginning of a word and each company would cost each change of a person further rows.',
  },
  {
    rows: /^search of evaluations/,
    cause:
      'For each of 12,345 people found, the row, an index entry and the evaluation are read: 61,800 pages of the cache. Ids gathered first read 36,000 pages and took as long.',
  },
  {
    rows: /^search of probation reviews/,
    cause: '12,345 people of the name are read to find the few who have a review.',
  },
  {
    rows: /^filters of evaluations/,
    cause:
      'What can be chosen is read out of 40,000 kept counts, one for each department, state and band, and the first hundred reviewers by name. Counts by company would make it flat, and every change of an evaluation one row longer.',
  },
  {
    rows: /^evaluations/,
    cause:
      'The total of the list was the sum of 40,000 kept counts of 4,000 departments. After the run they are added up by company when they are folded: 2.3 ms of PostgreSQL for a request in place of 7.7, measured apart beside other work. The rest is as with 100,000 people.',
  },
  {
    rows: /^directory as of a day, search for a job title/,
    cause:
      '200,400 people have the title today and 115,420 had it on the day: each period of a job is looked at. It takes three processes of PostgreSQL.',
  },
  {
    rows: /^directory as of a day, search/,
    cause: '12,345 candidates, each read among people and among periods of jobs: 77 ms.',
  },
  {
    rows: /^directory as of/,
    cause:
      '51 ms to count 735,800 periods of jobs from an index of 11 MB. It would need a kept count by first and last day.',
  },
  {
    rows: /^head count as of a day/,
    cause:
      'Grouping 735,800 periods by three columns takes 250 ms of PostgreSQL; an index of 70 MB that has all of them saved a tenth of it, and is not kept.',
  },
  {
    rows: /^dashboard/,
    cause:
      'Some companies had the next day already, and days joined by `or` made PostgreSQL look at all people four times. Mended after the run: 280 ms of PostgreSQL in place of 900, measured apart beside other work. What is left are figures of people, the 8,000 heads of 4,000 departments and 40,000 kept counts of evaluations by department. The answer names all departments: 470 kB.',
  },
  {
    rows: /^first byte of the export/,
    cause:
      'The first thousand ids are there after 1 ms; numbers of the other million are parsed at once beside the first rows, which takes 0.2 s of Node.',
  },
];

/** Why a row misses its target with this many people. */
export function causeOf(what: string, employees: number): string | undefined {
  const all = employees < 1_000_000 ? causes : [...causesOfMillion, ...causes];
  return all.find(({ rows }) => rows.test(what))?.cause;
}
