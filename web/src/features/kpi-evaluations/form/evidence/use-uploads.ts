import { kpiEvaluations, kpiEvidence, uploadLimits } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../../api/api-error.ts';
import { call } from '../../../../api/call.ts';
import { useFileCheck } from '../../../../ui/use-file-check.ts';

export type Upload = {
  key: number;
  file: File;
  /** Why it would be refused; it is not sent. */
  problem: string | undefined;
  /** What part of it has left; undefined before and after. */
  progress?: number | undefined;
  error?: ApiError | undefined;
  giveUp: AbortController;
};

let last = 0;

function uploadOf(file: File, problem: string | undefined): Upload {
  last += 1;
  return { key: last, file, problem, giveUp: new AbortController() };
}

function useUploadList() {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const change = (key: number, patch: Partial<Upload>) =>
    setUploads((old) => old.map((one) => (one.key === key ? { ...one, ...patch } : one)));
  const drop = (key: number) => setUploads((old) => old.filter((one) => one.key !== key));
  return { uploads, append: (more: readonly Upload[]) => setUploads((old) => [...old, ...more]), change, drop };
}

/** Files on their way to an item, or to the evaluation as a whole; each leaves the list when it is stored. */
export function useUploads(id: number, itemId: number | undefined) {
  const { uploads, append, change, drop } = useUploadList();
  const refresh = useRefresh();
  const check = useFileCheck(uploadLimits.attachment);

  const send = async ({ key, file, giveUp: { signal } }: Upload) => {
    if (signal.aborted) return;
    change(key, { progress: 0 });
    try {
      await call(
        kpiEvidence.create,
        { params: { id }, body: { item_id: itemId ?? null }, file },
        { signal, onProgress: (progress) => change(key, { progress }) },
      );
      drop(key);
    } catch (error) {
      if (error instanceof ApiError) change(key, { progress: undefined, error });
    }
  };

  const add = async (files: readonly File[]) => {
    const chosen = files.map((file) => uploadOf(file, check(file)));
    append(chosen);
    // One after the other: the service counts the pieces of an item.
    // oxlint-disable-next-line no-await-in-loop
    for (const upload of chosen.filter(({ problem }) => problem === undefined)) await send(upload);
    await refresh();
  };

  return {
    uploads,
    add: (files: readonly File[]) => void add(files),
    /** Takes a file off the list; one that is on its way is given up. */
    remove: ({ key, giveUp }: Upload) => {
      giveUp.abort();
      drop(key);
    },
  };
}

/** Evidence and the evaluation, which counts it, are read again. */
function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await queries.invalidateQueries({ queryKey: [kpiEvidence.list.path] });
    await queries.invalidateQueries({ queryKey: [kpiEvaluations.get.path] });
  };
}
