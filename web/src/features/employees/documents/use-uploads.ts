import { attachments, uploadLimits, type Attachment } from '@tenure/contract';
import { cut } from '@tenure/contract/cut';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { useFileCheck } from '../../../ui/use-file-check.ts';

export type Upload = {
  key: number;
  file: File;
  title: string;
  category: Attachment['category'];
  visibility: Attachment['visibility'];
  /** Why the service would refuse the file; it is not sent. */
  problem: string | undefined;
  /** The uploaded fraction; undefined before and after. */
  progress?: number | undefined;
  error?: ApiError | undefined;
  giveUp: AbortController;
};

export type Details = Pick<Upload, 'title' | 'category' | 'visibility'>;

const withoutEnding = (name: string) => cut(name.replace(/\.[^.]+$/, ''), 150);
let last = 0;

const store = (
  id: number,
  { file, title, category, visibility, giveUp: { signal } }: Upload,
  onProgress: (progress: number) => void,
) => call(attachments.create, { params: { id }, body: { title, category, visibility }, file }, { signal, onProgress });

/** The list of chosen files. */
function useChosenFiles() {
  const [uploads, setUploads] = useState<Upload[]>([]);
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
  /** Removes a file from the list; a running upload is cancelled. */
  const remove = ({ key, giveUp }: Upload) => {
    giveUp.abort();
    drop(key);
  };
  return { uploads, add, change, drop, remove };
}

/** The files chosen for a person, until each is stored, cancelled or removed from the list. */
export function useUploads(id: number, onStored: (count: number) => void) {
  const { uploads, add, change, drop, remove } = useChosenFiles();
  const queries = useQueryClient();

  /** True once the file is stored. */
  const send = async (upload: Upload): Promise<boolean> => {
    const { key, giveUp } = upload;
    if (giveUp.signal.aborted) return false;
    change(key, { progress: 0, error: undefined });
    try {
      await store(id, upload, (progress) => change(key, { progress }));
      drop(key);
      return true;
    } catch (error) {
      if (error instanceof ApiError) change(key, { progress: undefined, error });
      return false;
    }
  };

  const sendAll = async () => {
    let stored = 0;
    // Sequential: the service counts a person's files, and an early failure avoids later ones.
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
    remove,
    sendAll,
    sending: uploads.some(({ progress }) => progress !== undefined),
  };
}
