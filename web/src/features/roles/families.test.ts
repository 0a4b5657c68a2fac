import { permissionCatalogue, permissionNames } from '@tenure/contract';
import { expect, test } from 'vitest';
import { presetChanges, familiesOf, presetOf, presetsOf, permissionChanges, type Family } from './families.ts';

const families = familiesOf(permissionCatalogue);
const family = (group: string) => families.find((one) => one.group === group) as Family;
const on = (changes: ReadonlyMap<string, boolean>) => [...changes].filter(([, held]) => held).map(([name]) => name);

test('every permission is in one family, in the order of the catalogue', () => {
  expect(families.flatMap(({ permissions }) => permissions)).toEqual(permissionCatalogue);
});

test('a family has the presets that fit: no view preset without a view permission, none if all are reserved for Admin', () => {
  expect(presetsOf(family('employees'))).toEqual(['none', 'view', 'full']);
  expect(presetsOf(family('audit'))).toEqual(['none', 'full']);
  expect(presetsOf(family('dashboard'))).toEqual(['none', 'full']);
  expect(presetsOf(family('rbac'))).toEqual(['none']);
});

test('the permissions of a role in a family match a preset or are custom', () => {
  const of = (group: string, names: readonly string[]) => presetOf(family(group), new Set(names));
  expect(of('kpi-cycle', [])).toBe('none');
  expect(of('kpi-cycle', ['kpi-cycle.view'])).toBe('view');
  expect(
    of(
      'kpi-cycle',
      permissionNames.filter((name) => name !== 'kpi-cycle.reopen'),
    ),
  ).toBe('full');
  expect(of('kpi-cycle', permissionNames)).toBe('full');
  expect(of('kpi-cycle', ['kpi-cycle.view', 'kpi-cycle.export'])).toBe('custom');
  expect(of('rbac', permissionNames)).toBe('full');
});

test('a preset never grants permissions reserved for Admin', () => {
  expect(on(presetChanges(family('kpi-cycle'), 'full'))).not.toContain('kpi-cycle.reopen');
  expect(on(presetChanges(family('kpi-cycle'), 'view'))).toEqual(['kpi-cycle.view']);
  expect(on(presetChanges(family('kpi-cycle'), 'none'))).toEqual([]);
});

test('granting a change permission grants the view permission, and revoking the view revokes every change', () => {
  expect([...permissionChanges(family('entities'), 'entities.create', true)]).toEqual([
    ['entities.create', true],
    ['entities.view', true],
  ]);
  expect([...permissionChanges(family('entities'), 'entities.create', false)]).toEqual([['entities.create', false]]);
  expect(on(permissionChanges(family('entities'), 'entities.view', false))).toEqual([]);
  expect(permissionChanges(family('entities'), 'entities.view', false).size).toBe(4);
  expect([...permissionChanges(family('dashboard'), 'dashboard.view_all', true)]).toEqual([
    ['dashboard.view_all', true],
  ]);
});
