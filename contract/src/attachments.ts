import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { ActorRef, allowedActions, item, page, stamps } from './envelope.ts';
import { changes, oneOf, revision, text } from './fields.ts';
import { filters, listQuery } from './lists.ts';
import { uploadLimits } from './files.ts';

export const attachmentCategories = ['contract', 'id_document', 'certificate', 'letter', 'other'] as const;
export const attachmentVisibilities = ['hr_only', 'manager', 'employee', 'manager_employee'] as const;

export const Attachment = z.object({
  id: z.int(),
  employee_id: z.int(),
  category: z.enum(attachmentCategories),
  title: z.string().max(150),
  visibility: z.enum(attachmentVisibilities),
  file_name: z.string().max(255),
  mime_type: z.string().max(100),
  size: z.int(),
  checksum: z.string().max(64),
  uploaded_by: ActorRef,
  download_url: z.string().max(255),
  scan_status: z.enum(['not_scanned', 'pending', 'clean', 'infected', 'error']),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type Attachment = z.output<typeof Attachment>;

const fields = {
  category: oneOf(attachmentCategories),
  title: text(150).nullish(),
  visibility: oneOf(attachmentVisibilities).optional(),
};
const listPath = '/employees/:id/attachments';
const attachmentPath = `${listPath}/:attachmentId` as const;

export const attachments = {
  list: endpoint({
    method: 'GET',
    path: listPath,
    summary: 'List the files of a person',
    permission: 'employees.view',
    scope: 'scoped',
    query: listQuery(['created_at', 'title', 'file_name', 'category'], {
      category: filters.oneOf(attachmentCategories),
      visibility: filters.oneOf(attachmentVisibilities),
    }),
    reply: page(Attachment),
    status: 200,
  }),
  get: endpoint({
    method: 'GET',
    path: attachmentPath,
    summary: 'Read about a file',
    permission: 'employees.view',
    scope: 'scoped',
    reply: item(Attachment),
    status: 200,
  }),
  download: endpoint({
    method: 'GET',
    path: `${attachmentPath}/download`,
    summary: 'Download a file',
    permission: 'employees.view',
    scope: 'scoped',
    file: uploadLimits.attachment.types,
    status: 200,
  }),
  create: endpoint({
    method: 'POST',
    path: listPath,
    summary: 'Add a file to a person',
    permission: 'employees.update',
    scope: 'relationship',
    upload: 'attachment',
    body: z.object(fields),
    reply: item(Attachment),
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: attachmentPath,
    summary: 'Change what is said about a file',
    permission: 'employees.update',
    scope: 'relationship',
    body: changes(z.object(fields), revision),
    reply: item(Attachment),
    status: 200,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: attachmentPath,
    summary: 'Delete a file',
    permission: 'employees.update',
    scope: 'relationship',
    status: 204,
  }),
};
