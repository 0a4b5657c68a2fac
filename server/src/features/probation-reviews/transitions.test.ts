import { actionableKinds, endpointGroups, notificationEvents, probationStatuses } from '@tenure/contract';
import { expect, test } from 'vitest';
import { sorted } from '../../testing/evaluations.ts';
import { probationPage } from '../../testing/workflow-page.ts';
import { rules } from './transitions.ts';
import type { GuardName } from './transitions.ts';
import { permissionOf, capacities } from './capacities.ts';
import { actionOf } from '../../workflow/step.ts';

/** Compares the table of transitions with docs/probation-workflow.md and with the contract. */

/** How the page describes each guard. */
const wordsOf: Record<GuardName, string> = {
  running: 'on probation, and the probation is not paused',
  deciding: 'the review is final',
  sharing: 'the review is not final',
  unanswered: 'not been acknowledged yet',
  unrecorded: 'the employee has no sign-in, and the decision has not been acknowledged yet',
  latest: "it is the employee's latest review",
  untouched: 'the review is untouched',
};

test('the page has every transition as the program has it, and no other', () => {
  const described = probationPage.rules.map(({ when: _when, ...rule }) => rule);
  expect(described).toEqual(
    rules.map(({ id, action, from, to, who, events, waits }) => ({ id, action, from, to, who, events, waits })),
  );
});

test('the page says what has to hold', () => {
  const untold = rules.filter(
    ({ guard }, index) => guard && !probationPage.rules[index]?.when.includes(wordsOf[guard]),
  );
  expect(untold).toEqual([]);
});

test('the page says who is who by which permission', () => {
  expect(probationPage.standings).toEqual(capacities.map((capacity) => [capacity, permissionOf[capacity]]));
});

test('the diagram has every way from state to state, and no other', () => {
  const arrows = rules.flatMap(({ from, to, action }) => {
    if (to === 'same') return [];
    if (from.length === 0) return [`[*] ${to} ${action}`];
    return from.map((start) => `${start} ${to === 'gone' ? '[*]' : to} ${action}`);
  });
  expect(sorted(probationPage.arrows.map((arrow) => arrow.join(' ')))).toEqual(sorted(arrows));
});

test('every state is reached, and only what was cancelled or taken back is left by nothing', () => {
  const left = new Set(rules.flatMap(({ from, to }) => (to === 'same' ? [] : from)));
  expect(probationStatuses.filter((status) => !left.has(status))).toEqual(['cancelled', 'reverted']);
  expect(probationStatuses.filter((status) => !rules.some(({ to }) => to === status))).toEqual([]);
});

test('every action has its endpoint, and every step its rules', () => {
  const steps = [
    ...Object.values(endpointGroups['probationSteps'] ?? {}),
    ...Object.values(endpointGroups['probationSignatures'] ?? {}).filter(({ method }) => method === 'POST'),
  ];
  expect(sorted(steps.map(actionOf))).toEqual(sorted([...new Set(rules.map(({ action }) => action))]));
  for (const endpoint of steps) {
    const permissions = new Set(
      rules
        .filter(({ action }) => action === actionOf(endpoint))
        .flatMap(({ who }) => who.map((capacity) => permissionOf[capacity]))
        .filter((permission) => permission !== null),
    );
    // the reviewer signs as well as the employee, so every signature requires seeing it
    if (actionOf(endpoint) === 'signatures') expect(endpoint.permission).toBe('probation-review.view');
    else expect(sorted([endpoint.permission].flat())).toEqual(sorted([...permissions]));
  }
});

test('notifications and tasks are known by those names', () => {
  for (const { events, waits } of rules) {
    for (const event of events) expect(notificationEvents).toContain(event);
    if (waits) expect(actionableKinds).toContain(waits);
  }
});
