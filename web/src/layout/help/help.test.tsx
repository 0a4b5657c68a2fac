import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { paths } from '../../paths.ts';
import { listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';
import { topicOf, topicOfPath, topics } from './topics.ts';

const folder = join(import.meta.dirname, '../../../../docs/help');

test.each(['en', 'de'])('every page has help in %s, and every page of help is of a page', (language) => {
  expect(readdirSync(join(folder, language)).toSorted()).toEqual(topics.map((topic) => `${topic}.md`).toSorted());
  expect(new Set(Object.values(topicOfPath))).toEqual(new Set([...topics, null]));
});

test.each(Object.entries(paths))('the address of %s has its topic', (name, path) => {
  const topic = topicOfPath[name as keyof typeof paths];
  const isBefore = ['signIn', 'newPassword', 'secondFactor', 'forgot', 'reset', 'welcome', 'ssoCallback'].includes(
    name,
  );
  expect(topic === null).toBe(isBefore);
  if (topic) expect(topicOf(path)).toBe(topic);
});

const open = () => {
  serve({ 'GET /api/me': signedInAs(['rbac.manage']), 'GET /api/roles': listOf([]) });
  return start('/roles');
};

test('the header opens the help of the page, which leads to the shortcuts', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Help' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Roles' }));
  expect(await drawer.findByText(/A role is a set of permissions/)).toBeTruthy();
  await user.click(drawer.getByRole('button', { name: 'Keyboard shortcuts' }));
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy();
});

test('the palette opens it too', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Search or jump to…' }));
  await user.type(await screen.findByRole('combobox', { name: 'Search people, departments and pages' }), 'help');
  await user.click(await screen.findByRole('option', { name: 'Help for this page' }));
  expect(await screen.findByRole('dialog', { name: 'Roles' })).toBeTruthy();
});
