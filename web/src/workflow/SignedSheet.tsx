import { uploadLimits } from '@tenure/contract';
import { useFormatter } from 'use-intl';
import { FileDrop } from '../ui/FileDrop.tsx';
import { Problem } from '../ui/Problem.tsx';

type Props = {
  label: string;
  /** What may be chosen, and what the sheet is. */
  hint: (limits: { types: string; most: number }) => string;
  file: File | undefined;
  error: string | undefined;
  onFile: (file: File | undefined) => void;
};

/** The sheet that a person without a sign-in signed. */
export function SignedSheet({ label, hint, file, error, onFile }: Props) {
  const format = useFormatter();
  const { types, bytes } = uploadLimits.attachment;
  return (
    <div>
      <FileDrop
        label={label}
        hint={hint({ types: format.list([...types], { type: 'conjunction' }), most: bytes / 1_048_576 })}
        accept={types.map((type) => `.${type}`).join(',')}
        file={file}
        onFile={onFile}
      />
      {error !== undefined && <Problem>{error}</Problem>}
    </div>
  );
}
