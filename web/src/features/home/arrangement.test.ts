import { homeParts } from '@tenure/contract';
import { expect, test } from 'vitest';
import { moved, orderOf, stored } from './arrangement.ts';

test('parts that an arrangement does not name follow their neighbour of the standard order', () => {
  expect(orderOf({})).toEqual(homeParts);
  const [announcements, tasks, ...rest] = homeParts;
  expect(orderOf({ order: ['tasks'] })).toEqual([announcements, tasks, ...rest]);
  expect(orderOf({ order: [...homeParts].filter((name) => name !== 'me').toReversed() })).toEqual([
    ...homeParts.slice(4).toReversed(),
    'actions',
    'me',
    'tasks',
    'announcements',
  ]);
});

test('a part moves over its neighbour among those that the user has', () => {
  const offered = ['announcements', 'tasks', 'me'] as const;
  const up = moved(homeParts, 'me', -1, offered);
  expect(up.filter((name) => (offered as readonly string[]).includes(name))).toEqual(['announcements', 'me', 'tasks']);
  expect(moved(up, 'me', 1, offered).filter((name) => (offered as readonly string[]).includes(name))).toEqual(offered);
  expect(moved(homeParts, 'me', 1, offered)).toEqual(homeParts);
  expect([...up].sort()).toEqual([...homeParts].sort());
});

test('the standard arrangement is not stored', () => {
  expect(stored(homeParts, [])).toBeNull();
  expect(stored(homeParts, ['team'])).toEqual({ hidden: ['team'] });
  expect(stored(moved(homeParts, 'tasks', -1, homeParts), [])).toEqual({
    order: ['tasks', 'announcements', ...homeParts.slice(2)],
  });
});
