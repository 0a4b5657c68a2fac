import { auditActions } from '@tenure/contract';
import { expect, test } from 'vitest';
import german from '../../../contract/locales/de/browser/audit.json';
import english from '../../../contract/locales/en/browser/audit.json';

test.each([
  ['English', english],
  ['German', german],
])('every action of the audit log has a label in %s, and every label an action', (_language, { audit }) => {
  const verbs = [...new Set(Object.values(auditActions).flat())];
  expect(Object.keys(audit.verb).toSorted()).toEqual(verbs.toSorted());
});
