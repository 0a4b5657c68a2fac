import { IconFileUpload } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import classes from './FileDrop.module.css';
import { FileSize } from './FileSize.tsx';

type Props = {
  label: string;
  hint: string;
  /** As the `accept` of a file input. */
  accept: string;
  file: File | undefined;
  onFile: (file: File | undefined) => void;
};

/** Takes one file: dropped onto it, or chosen with mouse or keyboard. The whole area is the file input. */
export function FileDrop({ label, hint, accept, file, onFile }: Props) {
  const t = useTranslations('fileDrop');
  const hintId = useId();
  const [over, setOver] = useState(false);
  return (
    <label className={classes['drop']} data-over={over || undefined}>
      <IconFileUpload size={26} stroke={1.5} aria-hidden />
      <span className={classes['label']}>{file ? file.name : label}</span>
      <span className={classes['hint']} id={hintId}>
        {file ? <FileSize bytes={file.size} /> : hint}
      </span>
      <span className={classes['button']}>{t(file ? 'other' : 'choose')}</span>
      <input
        className={classes['input']}
        type="file"
        accept={accept}
        aria-describedby={hintId}
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
        onChange={(event) => onFile(event.currentTarget.files?.[0])}
      />
    </label>
  );
}
