import { uploadLimits } from '@tenure/contract';
import { useState } from 'react';
import { useFormatter } from 'use-intl';
import type { ApiError } from '../api/api-error.ts';
import { FileDrop } from '../ui/FileDrop.tsx';
import { Problem } from '../ui/Problem.tsx';

type Props = {
  label: string;
  /** The hint about the file, with its accepted types and its size limit in megabytes. */
  hint: (limits: { types: string; most: number }) => string;
  file: File | undefined;
  error: ApiError | null;
  onFile: (file: File | undefined) => void;
};

/** The sheet that a person without a sign-in signed. */
export function SignedSheet({ label, hint, file, error, onFile }: Props) {
  const format = useFormatter();
  const { types, bytes } = uploadLimits.attachment;
  // an error is about the file that was sent, so selecting another file clears it
  const [over, setOver] = useState<ApiError | null>(null);
  const refusal = error === over ? undefined : error?.fieldErrors['file'];
  return (
    <div>
      <FileDrop
        label={label}
        hint={hint({ types: format.list([...types], { type: 'conjunction' }), most: bytes / 1_048_576 })}
        accept={types.map((type) => `.${type}`).join(',')}
        file={file}
        onFile={(chosen) => {
          setOver(error);
          onFile(chosen);
        }}
      />
      {refusal !== undefined && <Problem>{refusal}</Problem>}
    </div>
  );
}
