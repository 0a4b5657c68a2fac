import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { paths } from './paths.ts';
import { createAppRouter } from './router.tsx';

test('the router has exactly the paths of the list that the service gets', () => {
  const router = createAppRouter(new QueryClient(), () => {}, createMemoryHistory());
  const pages = Object.keys(router.routesByPath).filter((path) => path !== '/$');
  expect(pages.sort()).toEqual(Object.values(paths).sort());
});

test('addresses of lists are readable', () => {
  const router = createAppRouter(new QueryClient(), () => {}, createMemoryHistory());
  const { href } = router.buildLocation({ to: '/employees', search: { search: '100 & more', page: 2 } });
  expect(href).toBe('/employees?search=100+%26+more&page=2');
});
