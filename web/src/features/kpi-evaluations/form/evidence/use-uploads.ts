import { kpiEvaluations, kpiEvidence, uploadLimits } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../../api/api-error.ts';
import { call } from '../../../../api/call.ts';
import { useFileCheck } from '../../../../ui/use-file-check.ts';

export type Upload = {
  key: number;
  file: File;
  /** Why the service would refuse the file; it is not sent. */
  problem: string | undefined;
  /** The uploaded fraction; undefined before and after. */
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

/** Uploads of files to an item or to the evaluation; each leaves the list once it is stored. */
export function useUploads(id: number, itemId: number | undefined) {
  const { uploads, append, change, drop } = useUploadList();
  const refresh = useRefresh();
  const check = useFileCheck(uploadLimits.attachment);

  const send = async ({ key, file, giveUp: { signal } }: Upload) => {
    if (signal.aborted) return;
    change(key, { progress: 0, error: undefined });
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
    // Sequential: the service counts an item's evidence.
    // oxlint-disable-next-line no-await-in-loop
    for (const upload of chosen.filter(({ problem }) => problem === undefined)) await send(upload);
    await refresh();
  };

  return {
    uploads,
    add: (files: readonly File[]) => void add(files),
    /** Sends a file again after an error. */
    retry: (upload: Upload) => void send(upload).then(refresh),
    /** Removes a file from the list; a running upload is cancelled. */
    remove: ({ key, giveUp }: Upload) => {
      giveUp.abort();
      drop(key);
    },
  };
}

/** Refetches the evidence, and the evaluation, which counts it. */
function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await queries.invalidateQueries({ queryKey: [kpiEvidence.list.path] });
    await queries.invalidateQueries({ queryKey: [kpiEvaluations.get.path] });
  };
}
