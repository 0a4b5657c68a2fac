import type { AuditAction } from '@tenure/contract';
import { Readable } from 'node:stream';
import { endpoint, filters, item, listQuery, page, text as said } from '@tenure/contract';
import * as z from 'zod';
import {
  boolean,
  changes,
  date,
  email,
  id,
  integer,
  number,
  oneOf,
  pattern,
  revision,
  text,
} from '../../../contract/src/fields.ts';
import { record } from '../audit.ts';
import { bind, FileReply } from '../http/context.ts';
import type { Ctx } from '../http/context.ts';
import { conflict, forbidden, blocked, notFound } from '../http/errors.ts';
import { done, pageOf, read } from '../http/replies.ts';

/**
 * Endpoints for tests of what all endpoints share. A row exists for every id up to 99; 2 cannot be changed, 3 is in the
 * wrong state, 4 is still referred to. Each completed piece of work adds a row to the audit log.
 */

const Echo = item(z.object({ received: z.string().max(1_000_000) }));
const shared = { permission: 'entities.update', scope: 'scoped', status: 200 } as const;

const fields = z.object({
  name: text(50, 2),
  note: text(5_000).nullish(),
  code: pattern(/^[A-Z]*$/, 5).optional(),
  colour: oneOf(['red', 'blue']).optional(),
  entity_id: integer(1, 100).optional(),
  parent_id: id().nullish(),
  weight: number(0, 100).optional(),
  active: boolean().optional(),
  starts_on: date().nullish(),
  contact: email().optional(),
  password: z.string().max(100).optional(),
  tags: z.array(text(20)).max(3).optional(),
  items: z.array(z.object({ unit_price: number(0, 10), label: text(10, 1) })).optional(),
  address: z.object({ city: text(20).nullish() }).nullish(),
});

const query = listQuery(['name', 'created_at'], {
  entity_id: filters.ids(),
  activity_status: filters.oneOf(['active', 'inactive']),
  since: filters.day(),
  deleted: filters.flag(),
});

export const probes = {
  create: endpoint({
    ...shared,
    method: 'POST',
    path: '/probes',
    summary: 'Make',
    body: fields,
    reply: Echo,
    status: 201,
  }),
  list: endpoint({
    ...shared,
    permission: 'entities.view',
    method: 'GET',
    path: '/probes',
    summary: 'List',
    query,
    reply: page(z.object({ id: z.int(), received: z.string().max(10_000) })),
  }),
  get: endpoint({
    ...shared,
    permission: 'entities.view',
    method: 'GET',
    path: '/probes/:id',
    summary: 'Read',
    query: z.object({ length: integer(0, 100_000).optional() }),
    reply: Echo,
  }),
  update: endpoint({
    ...shared,
    method: 'PUT',
    path: '/probes/:id',
    summary: 'Change',
    body: changes(fields, revision),
    reply: Echo,
  }),
  delete: endpoint({
    ...shared,
    permission: 'entities.delete',
    method: 'DELETE',
    path: '/probes/:id',
    summary: 'Delete',
    status: 204,
  }),
  act: endpoint({ ...shared, method: 'POST', path: '/probes/:id/act', summary: 'Act', reply: Echo }),
  everywhere: endpoint({
    ...shared,
    scope: 'everything',
    method: 'POST',
    path: '/probes/everywhere',
    summary: 'Needs a reach of everything',
    reply: Echo,
  }),
  secret: endpoint({
    ...shared,
    method: 'POST',
    path: '/probes/secret',
    summary: 'A secret',
    reply: Echo,
    secret: true,
  }),
  upload: endpoint({
    ...shared,
    method: 'POST',
    path: '/probes/:id/upload',
    summary: 'Take a picture',
    upload: 'picture',
    body: z.object({ title: text(20).optional() }),
    reply: Echo,
  }),
  file: endpoint({
    ...shared,
    permission: 'entities.view',
    method: 'GET',
    path: '/probes/:id/file',
    summary: 'Send a file',
    query: z.object({ name: z.string().max(500).optional(), streamed: boolean().optional() }),
    file: ['csv'],
  }),
  export: endpoint({
    ...shared,
    permission: 'entities.view',
    method: 'GET',
    path: '/probes/:id/export',
    summary: 'A budget of its own',
    query: z.object({ format: oneOf(['csv', 'xlsx']).optional() }),
    file: ['csv'],
    budget: 'export',
  }),
  fault: endpoint({
    ...shared,
    permission: 'entities.view',
    method: 'GET',
    path: '/probes/fault',
    summary: 'Throw what the test says',
    reply: Echo,
  }),
};

const nothingPlanted = () => new Error('nothing planted');

/** What `GET /api/probes/fault` throws next, once; test files in the same thread share this module. */
export const fault: { next: unknown } = { next: nothingPlanted() };

const echo = (value: unknown) => ({ received: JSON.stringify(value) });
const findRow = async ({ params }: { params: { id: number } }) => {
  if (params.id > 99) throw notFound();
  return params.id;
};
const allowRow = (_ctx: unknown, row: number) => {
  if (row === 2) throw forbidden();
};
const act = (ctx: Pick<Ctx, 'db' | 'actor' | 'request'>) => record(ctx, { action: 'probe.done' as AuditAction });
const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1, ...echo(index) }));

export const probeRoutes = [
  bind(probes.create, {
    handle: async (ctx) => {
      await act(ctx);
      return done(echo(ctx.body), said('employees.created'));
    },
  }),
  bind(probes.list, {
    handle: async (ctx) => {
      const { page: number, per_page: size, ...filter } = ctx.query;
      const all = rows(filter.search === 'nothing' ? 0 : 32).map((row) => ({ ...row, ...echo(filter) }));
      const start = ((number ?? 1) - 1) * (size ?? 15);
      return pageOf(ctx, ctx.query, { rows: all.slice(start, start + (size ?? 15)), total: all.length });
    },
  }),
  bind(probes.get, {
    find: findRow,
    handle: async (ctx) => read(echo('x'.repeat(ctx.query.length ?? 1))),
  }),
  bind(probes.update, {
    find: findRow,
    allow: allowRow,
    handle: async (ctx, row) => {
      if (row === 3) throw conflict(said('kpi_cycles.closed_cannot_change'), { status: 'closed', revision: 7 });
      await act(ctx);
      return done(echo(ctx.body), said('employees.updated'));
    },
  }),
  bind(probes.delete, {
    find: findRow,
    allow: allowRow,
    handle: async (ctx, row) => {
      if (row === 4) throw blocked('entity', said('departments.still_there', { total: 2, list: 'people' }));
      await act(ctx);
    },
  }),
  bind(probes.act, {
    find: findRow,
    allow: allowRow,
    handle: async (ctx) => {
      await act(ctx);
      return done(echo(ctx.body), said('general.done'));
    },
  }),
  bind(probes.everywhere, {
    handle: async (ctx) => {
      await act(ctx);
      return done(echo(1), said('general.done'));
    },
  }),
  bind(probes.secret, {
    handle: async (ctx) => {
      await act(ctx);
      return done(echo('s3cret'.repeat(1_000)), said('general.done'));
    },
  }),
  bind(probes.upload, {
    find: findRow,
    allow: allowRow,
    handle: async (ctx) => {
      await act(ctx);
      return done(echo({ ...ctx.body, size: ctx.file.size, file_name: ctx.file.file_name }), said('employees.updated'));
    },
  }),
  bind(probes.file, {
    find: findRow,
    handle: async (ctx) => {
      const content = Buffer.from('a,b\n'.repeat(1_000));
      return new FileReply({
        stream: Readable.from([content]),
        mime_type: 'text/csv',
        name: ctx.query.name ?? 'probe.csv',
        ...(!ctx.query.streamed && { size: content.length }),
      });
    },
  }),
  bind(probes.export, {
    find: findRow,
    allow: allowRow,
    handle: async () => new FileReply({ stream: Readable.from(['a']), mime_type: 'text/csv', name: 'a.csv' }),
  }),
  bind(probes.fault, {
    handle: async () => {
      const planted = fault.next;
      fault.next = nothingPlanted();
      throw planted;
    },
  }),
];
