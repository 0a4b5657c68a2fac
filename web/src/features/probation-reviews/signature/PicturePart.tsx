import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { FileDrop } from '../../../ui/FileDrop.tsx';
import { asSignature } from './as-signature.ts';

type Props = { value: string | undefined; onChange: (picture: string | undefined) => void; children: ReactNode };

/** Signs with a picture of a signature, which is made a small PNG before it leaves the browser. */
export function PicturePart({ value, onChange, children }: Props) {
  const t = useTranslations('signature');
  const [problem, setProblem] = useState(false);
  const take = async (file: File | undefined) => {
    const made = file && (await asSignature(file));
    setProblem(file !== undefined && made === undefined);
    onChange(made);
  };
  return (
    <div>
      <FileDrop
        label={t('choose')}
        hint={t('chooseHint')}
        accept="image/png,image/jpeg"
        file={undefined}
        onFile={(file) => void take(file)}
      />
      {children}
      <output className="muted" {...(problem && { style: { color: 'var(--danger)' } })}>
        {problem ? t('noPicture') : t(value === undefined ? 'nothingChosen' : 'isChosen')}
      </output>
    </div>
  );
}
