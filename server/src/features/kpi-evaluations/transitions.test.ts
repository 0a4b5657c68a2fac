import { actionableKinds, endpointGroups, evaluationStatuses, notificationEvents } from '@tenure/contract';
import { expect, test } from 'vitest';
import { sorted } from '../../testing/evaluations.ts';
import { pageArrows, pageRules, pageStandings } from '../../testing/workflow-page.ts';
import { rules } from './transitions.ts';
import type { GuardName } from './guards.ts';
import { permissionOf, capacities } from './capacities.ts';
import { actionOf } from '../../workflow/step.ts';

/** Compares the table of transitions with the page that describes it, and with the contract. */

/** How the page describes each guard. */
const wordsOf: Record<GuardName, string> = {
  step_open: 'the step is open',
  former_draft: 'a former reviewer left a draft',
  may_ask_for_time: 'the time is over and no request is open',
  extension_pending: 'a request is open',
  in_time: 'the response period is still running',
  unanswered: 'the response period is over',
  restorable: 'the employee is active and has no other evaluation for the same days of the cycle',
  signs_in: 'the employee has a sign-in',
  no_sign_in: 'the employee has no sign-in',
};

test('the page has every transition as the program has it, and no other', () => {
  const described = pageRules.map(({ when: _when, ...rule }) => rule);
  expect(described).toEqual(
    rules.map(({ id, action, from, to, who, events, waits }) => ({ id, action, from, to, who, events, waits })),
  );
});

test('the page says what has to hold', () => {
  const guarded = rules.map(({ id, guard }, index) => ({ id, guard, when: pageRules[index]?.when ?? '' }));
  const untold = guarded.filter(({ guard, when }) => guard && !when.includes(wordsOf[guard]));
  expect(untold).toEqual([]);
});

test('the page says who is who by which permission', () => {
  expect(pageStandings).toEqual(capacities.map((capacity) => [capacity, permissionOf[capacity]]));
});

test('the diagram has every way from state to state, and no other', () => {
  const arrows = rules.flatMap(({ from, to, action }) => {
    if (to === 'same') return [];
    if (from.length === 0) return [`[*] ${to} ${action}`];
    if (to !== 'cancelled_from') return from.map((start) => `${start} ${to} ${action}`);
    const before = rules.filter((rule) => rule.to === 'cancelled').flatMap((rule) => rule.from);
    return before.map((back) => `cancelled ${back} ${action}`);
  });
  expect(sorted(pageArrows.map((arrow) => arrow.join(' ')))).toEqual(sorted([...new Set(arrows)]));
});

test('every state but the first is reached, and every one but the last two is left without force', () => {
  const usual = rules.filter(({ action }) => !['cancel', 'restore', 'force-close', 'reopen'].includes(action));
  const left = new Set(usual.flatMap(({ from, to }) => (to === 'same' ? [] : from)));
  expect(evaluationStatuses.filter((status) => !left.has(status))).toEqual(['completed', 'cancelled']);
  expect(evaluationStatuses.filter((status) => !rules.some(({ to }) => to === status))).toEqual([]);
});

test('every action has its endpoint, and every step its rules', () => {
  const steps = Object.values(endpointGroups['evaluationSteps'] ?? {}).filter(({ path }) => path.includes(':id'));
  const actions = [...new Set(rules.filter(({ from }) => from.length > 0).map(({ action }) => action))];
  expect(sorted(steps.map(actionOf))).toEqual(sorted(actions));
  for (const endpoint of steps) {
    const permissions = new Set(
      rules
        .filter(({ action }) => action === actionOf(endpoint))
        .flatMap(({ who }) => who.map((capacity) => permissionOf[capacity]))
        .filter((permission) => permission !== null),
    );
    // a draft belongs to the author of the current step, who has to see it first
    if (actionOf(endpoint) === 'update') expect(endpoint.permission).toBe('kpi-evaluation.view');
    else expect(sorted([endpoint.permission].flat())).toEqual(sorted([...permissions]));
  }
});

test('notifications and tasks are known by those names', () => {
  for (const { events, waits } of rules) {
    for (const event of events) expect(notificationEvents).toContain(event);
    if (waits) expect(actionableKinds).toContain(waits);
  }
});
