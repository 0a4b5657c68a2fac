import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { BlobPicture } from '../../../ui/BlobPicture.tsx';
import { FileDrop } from '../../../ui/FileDrop.tsx';
import { toSignaturePng } from './to-signature-png.ts';
import { paper } from './SignaturePicture.tsx';

type Props = { value: string | undefined; onChange: (picture: string | undefined) => void };

/** Signs with a picture, which the browser converts into a small PNG before sending. */
export function PicturePart({ value, onChange }: Props) {
  const t = useTranslations('signature');
  const [problem, setProblem] = useState(false);
  const choose = async (file: File | undefined) => {
    const made = file && (await toSignaturePng(file));
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
        onFile={(file) => void choose(file)}
      />
      {value !== undefined && <Chosen address={value} />}
      <output className="muted" {...(problem && { style: { color: 'var(--danger)' } })}>
        {problem ? t('noPicture') : t(value === undefined ? 'nothingChosen' : 'isChosen')}
      </output>
    </div>
  );
}

const pictureStyle = { ...paper, maxHeight: 96 };

/** The preview of the converted picture. The content security policy forbids data URLs, so it is a blob. */
function Chosen({ address }: { address: string }) {
  const t = useTranslations('signature');
  const content = useMemo(() => {
    const bytes = Uint8Array.from(atob(address.slice(address.indexOf(',') + 1)), (one) => one.charCodeAt(0));
    return new Blob([bytes], { type: 'image/png' });
  }, [address]);
  return <BlobPicture content={content} alt={t('yours')} style={pictureStyle} />;
}
