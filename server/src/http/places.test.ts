import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { placeFinder } from './places.ts';
import type { PathBindings } from './route.ts';

const bound = (path: string): PathBindings => ({ path, byMethod: new Map(), allow: 'GET', words: new Set() });
const find = placeFinder(
  [
    '/people',
    '/people/:id',
    '/people/export',
    '/people/:id/papers/:paper_id',
    '/people/export/:format/again',
    '/teams/:team_id',
    '/login',
    '/logout',
  ].map(bound),
);
const place = (url: string, method = 'GET') => {
  const found = find({ method, url } as FastifyRequest);
  return found && [found.url, found.params];
};

test.each([
  ['/api/people', '/api/people', {}],
  ['/api/people?page=2', '/api/people', {}],
  ['/api/people/7', '/api/people/:id', { id: '7' }],
  ['/api/people/export', '/api/people/export', {}],
  ['/api/%70eople/a%20b', '/api/people/:id', { id: 'a b' }],
  ['/api/people/7/papers/8', '/api/people/:id/papers/:paper_id', { id: '7', paper_id: '8' }],
  // a word that leads nowhere may still stand for a parameter
  ['/api/people/export/papers/8', '/api/people/:id/papers/:paper_id', { id: 'export', paper_id: '8' }],
  ['/api/people/export/csv/again', '/api/people/export/:format/again', { format: 'csv' }],
  ['/api/teams/3', '/api/teams/:team_id', { team_id: '3' }],
  ['/api/logout', '/api/logout', {}],
  ['/logout', '/logout', {}],
])('%s goes to %s', (url, address, params) => {
  for (const method of ['GET', 'POST', 'BREW']) expect(place(url, method)).toEqual([address, params]);
});

test.each([
  '/',
  '/api',
  '/people',
  '/api/peoples',
  '/api/people/7/papers',
  '/api/people/7/8',
  '/api/people/',
  '/API/people',
])('%s goes nowhere', (url) => expect(place(url)).toBeNull());

test('the address of the sign-in page is read as a page and written to as the API', () => {
  expect([place('/login'), place('/login', 'HEAD')]).toEqual([null, null]);
  expect(place('/login', 'POST')).toEqual(['/login', {}]);
  expect(place('/api/login')).toEqual(['/api/login', {}]);
});

test('names of a parsed address are no names of JavaScript', () => {
  for (const part of ['constructor', '__proto__', 'toString']) {
    expect(place(`/api/${part}`)).toBeNull();
    expect(place(`/api/people/${part}`)).toEqual(['/api/people/:id', { id: part }]);
  }
});

test('two addresses that differ in the name of a parameter alone are refused', () => {
  expect(() => placeFinder(['/people/:id', '/people/:person_id'].map(bound))).toThrow('are one address');
});
