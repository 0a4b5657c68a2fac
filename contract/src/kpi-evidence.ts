import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { ActorRef, allowedActions, item, page, stamps } from './envelope.ts';
import { id, text, webAddress } from './fields.ts';
import { filters, listQuery } from './lists.ts';
import { uploadLimits } from './files.ts';

/** `answer`: the signed sheet of an employee without an account. */
export const evidenceStages = ['self', 'manager', 'hr', 'answer'] as const;

export const Evidence = z.object({
  id: z.int(),
  evaluation_id: z.int(),
  item_id: z.int().nullable(),
  stage: z.enum(evidenceStages),
  note: z.string().max(5_000).nullable(),
  url: z.string().max(500).nullable(),
  file_name: z.string().max(255).nullable(),
  mime_type: z.string().max(100).nullable(),
  size: z.int().nullable(),
  checksum: z.string().max(64).nullable(),
  uploaded_by: ActorRef,
  download_url: z.string().max(255).nullable(),
  scan_status: z.enum(['not_scanned', 'pending', 'clean', 'infected', 'error']).nullable(),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type Evidence = z.output<typeof Evidence>;

const listPath = '/kpi-evaluations/:id/evidence';
const path = `${listPath}/:evidenceId` as const;
const read = { method: 'GET', permission: 'kpi-evaluation.view', scope: 'scoped', status: 200 } as const;
const write = { permission: 'kpi-evaluation.view', scope: 'relationship' } as const;

export const kpiEvidence = {
  list: endpoint({
    ...read,
    path: listPath,
    summary: 'List the evidence of a KPI evaluation',
    query: listQuery(['created_at', 'file_name'], { item_id: filters.ids(), stage: filters.oneOf(evidenceStages) }),
    reply: page(Evidence),
  }),
  get: endpoint({ ...read, path, summary: 'Read about a piece of evidence', reply: item(Evidence) }),
  download: endpoint({
    ...read,
    path: `${path}/download`,
    summary: 'Download a piece of evidence',
    file: uploadLimits.attachment.types,
  }),
  create: endpoint({
    ...write,
    method: 'POST',
    path: listPath,
    summary: 'Add a file, a link or a note as evidence',
    upload: 'evidence',
    upload_optional: true,
    body: z.object({ item_id: id().nullish(), note: text(5_000).nullish(), url: webAddress().nullish() }),
    reply: item(Evidence),
    status: 201,
  }),
  delete: endpoint({ ...write, method: 'DELETE', path, summary: 'Remove a piece of evidence', status: 204 }),
};
