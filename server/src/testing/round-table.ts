import type { ActionableKind } from '@tenure/contract';
import { groupVerbs, verbs } from './round-steps.ts';
import type { Scene } from './round-steps.ts';

/**
 * Plays the table of a KPI round and compares the whole group with it after every row.
 *
 * `step | who | what: about more | state | inbox | notified`
 *
 * - who: a person; `each`, all people the row is about; or `clock`
 * - state: `jon hr_review 4.4 4.08 81.6` (self, overall score, percentage), several by `;`
 * - inbox: `+omar:review:jon` appears and `-jon:self` disappears; without the third part it is about oneself
 * - notified: `omar:reviewer_changed:jon`; never the actor
 *
 * Everything that a row does not name stays unchanged, and no one else is notified. Names: `a,b`, a group such as `p*`,
 * and `HR`, which excludes an HR user whom the row is about.
 */

const kinds: Readonly<Record<ActionableKind, string>> = {
  kpi_self_assessment: 'self',
  kpi_manager_review: 'review',
  kpi_hr_review: 'hr',
  kpi_acceptance: 'answer',
  kpi_record_answer: 'record',
  kpi_dispute: 'dispute',
  kpi_close: 'close',
  kpi_extension_decision: 'more-time',
  kpi_time_over: 'no-more-time',
  kpi_missing_reviewer: 'reviewer',
  kpi_move: 'move',
  kpi_newly_eligible: 'newly-eligible',
  kpi_cycle_to_close: 'cycle',
  probation_review_assigned: 'probation',
  probation_review_action_required: 'probation-again',
  probation_review_approval: 'probation-decision',
  probation_acknowledge: 'probation-answer',
  probation_record_acknowledgement: 'probation-record',
  probation_review_missing: 'probation-missing',
  probation_missing_reviewer: 'probation-reviewer',
  employee_offboarding: 'offboarding',
  absence_missing_deputy: 'deputy',
  job_change_failed: 'job',
  people_waiting: 'waiting',
  service_account_without_owner: 'owner',
  token_unused: 'token',
  token_ending: 'token-ending',
  recovery_codes_low: 'recovery-codes',
  emergency_account_unused: 'emergency',
  webhook_stopped: 'webhook',
  chat_target_stopped: 'chat-target',
};

type Row = Record<'step' | 'who' | 'what' | 'about' | 'state' | 'inbox' | 'told', string> & { words: string[] };

function rowOf(line: string): Row {
  const [step = '', who = '', does = '', state = '', inbox = '', told = ''] = line
    .split('|')
    .map((cell) => cell.trim());
  const [what = '', about = ''] = does.split(': ');
  const [subject = '', ...words] = about.split(' ');
  return { step, who, what, about: subject, words, state, inbox, told };
}

export const rowsOf = (table: string): Row[] =>
  table
    .split('\n')
    .filter((line) => line.includes('|'))
    .map(rowOf);

type Stand = Record<'name' | 'status', string> & Record<'self' | 'score' | 'percentage', number | null>;

const short = ({ self, score, percentage, status }: Stand) =>
  [status, self, score, percentage].map((part) => part ?? '-').join(' ');

function missing(name: string): never {
  throw new Error(`the table names ${name}, which is unknown`);
}

type Groups = Readonly<Record<string, readonly string[]>>;

/** The expected and actual state of the group. */
export class Round {
  readonly #world: Scene;
  readonly #groups: Groups;
  readonly #state = new Map<string, string>();
  readonly #inbox = new Map<string, Set<string>>();
  #heard = 0;

  constructor(scene: Scene, groups: Groups) {
    this.#world = scene;
    this.#groups = groups;
    for (const name of scene.clients.keys()) this.#inbox.set(name, new Set());
  }

  #names = (text: string, about = ''): string[] =>
    text
      .split(',')
      .flatMap((name) =>
        name === 'HR' ? (this.#groups['HR'] ?? []).filter((one) => one !== about) : (this.#groups[name] ?? [name]),
      );

  /** `who:what:about` of a token, for each combination it stands for. */
  #told(token: string): [who: string, what: string, about: string][] {
    const [who = '', what = '', about] = token.split(':');
    if (about === undefined) return this.#names(who).map((name) => [name, what, name]);
    return this.#names(about).flatMap((one) =>
      this.#names(who, one).map((name): [string, string, string] => [name, what, one]),
    );
  }

  async #act({ who, what, about, words }: Row): Promise<void> {
    const client = (name: string) => this.#world.clients.get(name) ?? missing(name);
    // the clock needs no session
    const of = (name: string) => client(who === 'each' ? name : who === 'clock' ? 'admin' : who);
    const group = this.#names(about);
    const whole = groupVerbs[what];
    if (whole) return whole({ scene: this.#world, who, client: client(who), group, words });
    const verb = verbs[what] ?? missing(what);
    for (const one of group) await verb({ scene: this.#world, who, client: of(one), about: one, words });
  }

  #expect({ state, inbox }: Row): void {
    for (const part of state.split(';').filter((text) => text.trim() !== '')) {
      const [names = '', status = '', ...figures] = part.trim().split(' ');
      const [self = '-', score = '-', percentage = '-'] = figures;
      for (const name of this.#names(names)) {
        if (status === 'gone') this.#state.delete(name);
        else this.#state.set(name, `${status} ${self} ${score} ${percentage}`);
      }
    }
    for (const token of inbox.split(' ').filter((text) => text !== ''))
      for (const [who, what, about] of this.#told(token.slice(1))) {
        const items = this.#inbox.get(who) ?? missing(who);
        const key = `${what}:${about}`;
        if (items.has(key) !== token.startsWith('-')) throw new Error(`${token} does not fit what ${who} had before`);
        if (token.startsWith('-')) items.delete(key);
        else items.add(key);
      }
  }

  async #readState() {
    const { rows } = await this.#world.app.owner.query<Stand>(
      `select p.first_name as name, v.status, v.self_overall_score::float as self, v.overall_score::float as score,
              v.overall_percentage::float as percentage
       from kpi_evaluations v join employees p on p.id = v.employee_id
       union all select name, status, null, null, null from kpi_templates
       union all select name, status, null, null, null from kpi_cycles`,
    );
    return Object.fromEntries(rows.map((row) => [row.name, short(row)]));
  }

  async #readTold() {
    const { rows } = await this.#world.app.owner.query<{ id: number; line: string }>(
      `select n.id::int, u.first_name || ':' || regexp_replace(n.event, '^kpi_', '') || ':'
                         || coalesce(p.first_name, c.name, e.first_name) as line
       from notifications n
       join employees u on u.user_id = n.user_id
       left join kpi_evaluations v on n.subject_type = 'kpi_evaluation' and v.id = n.subject_id
       left join employees p on p.id = v.employee_id
       left join kpi_cycles c on n.subject_type = 'kpi_cycle' and c.id = n.subject_id
       left join employees e on n.subject_type = 'employee' and e.id = n.subject_id
       where n.id > $1 order by 2`,
      [this.#heard],
    );
    this.#heard = Math.max(this.#heard, ...rows.map(({ id }) => id));
    return rows.map(({ line }) => line);
  }

  /** Reads the inbox of each person, as that person. */
  async #readInboxes() {
    const read = async ([name, client]: [
      string,
      Scene['clients'] extends ReadonlyMap<string, infer C> ? C : never,
    ]) => {
      const { data } = (await client.get('/api/actionable-items?per_page=100')).body as {
        data: { kind: ActionableKind; employee: { name: string } | null; title: string }[];
      };
      const items = data.map(({ kind, employee }) => `${kinds[kind]}:${employee?.name.split(' ')[0] ?? 'Q1'}`);
      return [name, items.toSorted()] as const;
    };
    const clients = [...this.#world.clients];
    const inboxes = [];
    // at most as many at once as there are connections, or on a busy machine some would wait too long
    for (let start = 0; start < clients.length; start += 8)
      inboxes.push(...(await Promise.all(clients.slice(start, start + 8).map(read))));
    return Object.fromEntries(inboxes);
  }

  /** The expected and actual state of the group after the row. */
  async play(row: Row) {
    await this.#act(row);
    this.#expect(row);
    const told = row.told
      .split(' ')
      .filter((text) => text !== '')
      .flatMap((token) => this.#told(token));
    const expected = {
      state: Object.fromEntries(this.#state),
      told: told
        .filter(([name]) => name !== row.who && (row.who !== 'each' || name !== told[0]?.[2]))
        .map((one) => one.join(':'))
        .toSorted(),
      inbox: Object.fromEntries([...this.#inbox].map(([name, items]) => [name, [...items].toSorted()])),
    };
    const found = {
      state: await this.#readState(),
      told: (await this.#readTold()).toSorted(),
      inbox: await this.#readInboxes(),
    };
    return { found, expected };
  }
}
