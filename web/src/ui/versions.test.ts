import { expect, test } from 'vitest';
import { compareVersions } from './versions.ts';

const base = { grade: 'T1', job_title: 'Buyer', phone: '12345' };

test('a change by only one user is kept without a question', () => {
  const { merged, differences, taken } = compareVersions(base, { ...base, grade: 'T2' }, { ...base, phone: '99999' });
  expect(merged).toEqual({ grade: 'T2', job_title: 'Buyer', phone: '99999' });
  expect(differences).toEqual([]);
  expect(taken).toEqual(['phone']);
});

test("different changes of both are a difference, and the user's own version stays until it is resolved", () => {
  const { merged, differences } = compareVersions(base, { ...base, grade: 'T2' }, { ...base, grade: 'T3' });
  expect(differences).toEqual([{ name: 'grade', mine: 'T2', theirs: 'T3' }]);
  expect(merged['grade']).toBe('T2');
});

test('the same change by both is no difference', () => {
  const both = { ...base, grade: 'T2' };
  expect(compareVersions(base, both, both)).toEqual({ merged: both, differences: [], taken: [] });
});

test('a field that one version lacks counts as empty', () => {
  expect(compareVersions({ phone: '1' }, {}, { phone: '2' }).differences).toEqual([
    { name: 'phone', mine: '', theirs: '2' },
  ]);
});
