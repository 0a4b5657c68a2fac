import { Box } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import classes from './FileDrop.module.css';
import { FileSize } from './FileSize.tsx';
import { useTouch } from './use-phone.ts';

const underlined = { textDecoration: 'underline', textUnderlineOffset: 3 };

type Props = {
  /** The label of the drop area. */
  label: string;
  hint: string;
  /** The `accept` attribute of the file input. */
  accept: string;
} & (
  | { file: File | undefined; onFile: (file: File | undefined) => void }
  // Accepts several files; the parent shows them.
  | { onFiles: (files: File[]) => void }
);

/** A file input that is its whole area; files are dropped or chosen. */
export function FileDrop({ label, hint, accept, ...taken }: Props) {
  const file = 'file' in taken ? taken.file : undefined;
  const many = 'onFiles' in taken;
  const choose = (chosen: File[]) => (many ? taken.onFiles(chosen) : taken.onFile(chosen[0]));
  const t = useTranslations('fileDrop');
  const action = t(many ? 'chooseMany' : file ? 'other' : 'choose');
  const onlyChosen = useTouch();
  const hintId = useId();
  const [over, setOver] = useState(false);
  return (
    <label className={classes['drop']} data-over={over || undefined}>
      <IconFileUpload size={26} stroke={1.5} aria-hidden />
      <Box component="span" fw={560} style={{ overflowWrap: 'anywhere' }}>
        {file ? file.name : onlyChosen ? action : label}
      </Box>
      <Box component="span" id={hintId} c="var(--ink-2)" fz="sm">
        {file ? <FileSize bytes={file.size} /> : hint}
      </Box>
      {(file || !onlyChosen) && (
        <Box component="span" mt={6} c="var(--accent)" fz="sm" fw={550} style={underlined}>
          {action}
        </Box>
      )}
      <input
        className={classes['input']}
        type="file"
        accept={accept}
        multiple={many}
        aria-describedby={hintId}
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
        onChange={(event) => {
          choose([...(event.currentTarget.files ?? [])]);
          // so that the same file can be chosen again
          if (many) event.currentTarget.value = '';
        }}
      />
    </label>
  );
}
