import { attachments, uploadLimits, type Attachment } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { useFileCheck } from '../../../ui/use-file-check.ts';

/** A chosen file on its way to the service. */
export type Upload = {
  key: number;
  file: File;
  title: string;
  category: Attachment['category'];
  visibility: Attachment['visibility'];
  /** Why it would be refused; it is not sent. */
  problem: string | undefined;
  /** What part of it has left; undefined before and after. */
  progress?: number | undefined;
  error?: ApiError | undefined;
  giveUp: AbortController;
};

export type Details = Pick<Upload, 'title' | 'category' | 'visibility'>;

const withoutEnding = (name: string) => name.replace(/\.[^.]+$/, '').slice(0, 150);
let last = 0;

/** Files that were chosen for a person, until each is stored, given up or taken off the list. */
export function useUploads(id: number, onStored: (count: number) => void) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const queries = useQueryClient();
  const check = useFileCheck(uploadLimits.attachment);
  const change = (key: number, patch: Partial<Upload>) =>
    setUploads((old) => old.map((one) => (one.key === key ? { ...one, ...patch } : one)));
  const drop = (key: number) => setUploads((old) => old.filter((one) => one.key !== key));

  const add = (files: readonly File[]) => {
    const chosen = files.map((file): Upload => {
      last += 1;
      const details = { title: withoutEnding(file.name), category: 'other', visibility: 'hr_only' } as const;
      return { key: last, file, ...details, problem: check(file), giveUp: new AbortController() };
    });
    setUploads((old) => [...old, ...chosen]);
  };

  /** True once it is stored. */
  const send = async ({ key, file, title, category, visibility, giveUp: { signal } }: Upload): Promise<boolean> => {
    if (signal.aborted) return false;
    change(key, { progress: 0, error: undefined });
    try {
      await call(
        attachments.create,
        { params: { id }, body: { title, category, visibility }, file },
        { signal, onProgress: (progress) => change(key, { progress }) },
      );
      drop(key);
      return true;
    } catch (error) {
      if (error instanceof ApiError) change(key, { progress: undefined, error });
      return false;
    }
  };

  const sendAll = async () => {
    let stored = 0;
    // One after the other: the service counts the files of a person, and the first failures tell about the rest.
    // oxlint-disable-next-line no-await-in-loop
    for (const upload of uploads.filter(({ problem }) => problem === undefined)) if (await send(upload)) stored += 1;
    if (stored === 0) return;
    onStored(stored);
    await queries.invalidateQueries({ queryKey: [attachments.list.path] });
  };

  return {
    uploads,
    add,
    change: (key: number, details: Partial<Details>) => change(key, { ...details, error: undefined }),
    /** Takes a file off the list; one that is on its way is given up. */
    remove: ({ key, giveUp }: Upload) => {
      giveUp.abort();
      drop(key);
    },
    sendAll,
    sending: uploads.some(({ progress }) => progress !== undefined),
  };
}
