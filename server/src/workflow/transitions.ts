import type { ActionableKind, NotificationEvent, Text } from '@tenure/contract';
import type { Actor } from '../access/actor.ts';
import { conflict, forbidden } from '../http/errors.ts';
import type { WorkflowRow } from './row.ts';
import { checkRevision } from './transition.ts';

/** One transition of a workflow. Transitions of the same action differ in where they start or who takes them. */
export type Rule<Status extends string, Capacity extends string, Guard extends string, Special extends string> = {
  /** Its number on the page in docs/ that describes the workflow. */
  id: string;
  /** The last part of its endpoint's path; `update` and `delete` for the record itself. */
  action: string;
  from: readonly Status[];
  to: Status | 'same' | Special;
  who: readonly Capacity[];
  guard?: Guard;
  /** The notifications: `events.json` of `contract/locales`. */
  events: readonly NotificationEvent[];
  /** The task that exists from then on, whatever state follows. */
  waits?: ActionableKind;
};

type Table<Row extends WorkflowRow, One extends Rule<Row['status'], string, string, string>> = {
  rules: readonly One[];
  /** What must be true besides state and capacity; returns why it is not. The body is checked separately. */
  guards: Readonly<Record<NonNullable<One['guard']>, (row: Row, capacity: One['who'][number]) => Text | undefined>>;
  capacitiesOf: (actor: Actor, row: Row) => ReadonlySet<One['who'][number]>;
  /** The message for a record in a state that the action does not start from. */
  refusals: Readonly<Record<Row['status'], Text>>;
  /** Why nothing at all can be done with a record, whatever its state. */
  closed?: (row: Row) => Text | undefined;
};

/** The result for an action: allowed, never for this actor, or not now and why. */
export type Verdict<One, Capacity> = { rule: One; capacity: Capacity } | 'forbidden' | { refusal: Text };

/**
 * Checks one action of a person by capacity, state and guards. A person whose capacity never permits the action, or
 * does not permit it from the current state while another capacity does, is forbidden; all others learn what prevents
 * it.
 */
function checkBy<Row extends WorkflowRow, One extends Rule<Row['status'], string, string, string>>(
  { rules, guards, refusals, closed }: Table<Row, One>,
  { action, row, capacities }: { action: string; row: Row; capacities: ReadonlySet<One['who'][number]> },
): Verdict<One, One['who'][number]> {
  const capacityFor = ({ who }: One) => who.find((one) => capacities.has(one));
  const ofAction = rules.filter((rule) => rule.action === action);
  const fromHere = ofAction.filter(({ from, who }) => from.includes(row.status) && who.some((one) => one !== 'system'));
  const rule = (fromHere.length > 0 ? fromHere : ofAction).find(capacityFor);
  if (!rule) return 'forbidden';
  const end = closed?.(row);
  if (end !== undefined) return { refusal: end };
  if (fromHere.length === 0) return { refusal: refusals[row.status as Row['status']] };
  const capacity = capacityFor(rule) as One['who'][number];
  const guard = rule.guard as keyof typeof guards | undefined;
  const refusal = guard && guards[guard](row, capacity);
  return refusal === undefined ? { rule, capacity } : { refusal };
}

/** The actions on existing records. */
const actionsIn = (rules: readonly Rule<string, string, string, string>[]) => [
  ...new Set(rules.filter(({ from }) => from.length > 0).map(({ action }) => action)),
];

const startsIn = <Status extends string>(rules: readonly Rule<Status, string, string, string>[], action: string) => [
  ...new Set(rules.filter((rule) => rule.action === action).flatMap(({ from }) => from)),
];

type Sent = { revision?: number | undefined };

/** Answers questions about a table of transitions. */
export function transitionsOf<Row extends WorkflowRow, One extends Rule<Row['status'], string, string, string>>(
  table: Table<Row, One>,
) {
  type Capacity = One['who'][number];
  const { rules, refusals, capacitiesOf } = table;
  const actions = actionsIn(rules);
  const refusalOf = (status: string) => refusals[status as Row['status']];

  const check = (action: string, row: Row, capacities: ReadonlySet<Capacity>) =>
    checkBy(table, { action, row, capacities });

  /** The states that an action starts from. */
  const startsOf = (action: string) => startsIn(rules, action);

  /** What the actor may do now, as far as the row determines it; conditions on the body are checked with the body. */
  function allowedActions(actor: Actor, row: Row): string[] {
    const capacities = capacitiesOf(actor, row);
    return actions.filter((action) => {
      const verdict = check(action, row, capacities);
      return typeof verdict === 'object' && 'rule' in verdict;
    });
  }

  /** @throws 403 if the action is not for this person, whatever the state */
  function allowStep(actor: Actor, row: Row, action: string): void {
    if (check(action, row, capacitiesOf(actor, row)) === 'forbidden') throw forbidden();
  }

  /** The rule and the capacity under which the actor proceeds; 422 if state, guard or revision prevents it. */
  function requireStep(actor: Actor, row: Row, action: string, sent: Sent): { rule: One; capacity: Capacity } {
    const verdict = check(action, row, capacitiesOf(actor, row));
    if (verdict === 'forbidden') throw forbidden();
    checkRevision(row, sent, row.status);
    if ('refusal' in verdict) throw conflict(verdict.refusal, row);
    return verdict;
  }

  return { check, refusalOf, startsOf, allowedActions, allowStep, requireStep };
}
