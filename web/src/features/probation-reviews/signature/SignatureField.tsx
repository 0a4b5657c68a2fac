import { Checkbox, TextInput } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { Segments } from '../../../ui/Segments.tsx';
import { signatureWays, type Signature, type SignatureWay } from './use-signature.ts';

const DrawPad = lazyPart(() => import('./DrawPad.tsx'), 'DrawPad');
const PicturePart = lazyPart(() => import('./PicturePart.tsx'), 'PicturePart');

type Props = {
  signature: Signature;
  /** The service's messages about the signature's fields. */
  errors: Readonly<Record<string, string>>;
  /** The statement that is signed, in one sentence. */
  attest: string;
};

/** Signs by typing the name, by drawing or with a picture, after the user confirms the statement. */
export function SignatureField({ signature, errors, attest }: Props) {
  const t = useTranslations('signature');
  const { mark, change, missing } = signature;
  const { way } = mark;
  const refused = errors['signature.image'] ?? errors['image'] ?? errors['signature.method'] ?? errors['method'];
  const problem = refused ?? (way !== 'typed' && missing.mark ? t(`missing.${way}`) : undefined);
  return (
    <>
      <Segments
        label={t('title')}
        choices={signatureWays.map((value) => ({ value, label: t(`way.${value}`) }))}
        value={way}
        onChange={(way) => change({ way: way as SignatureWay })}
        error={problem}
      />
      {way === 'typed' && <TypedName signature={signature} errors={errors} />}
      <Suspense fallback={<p className="muted">{t('loading')}</p>}>
        {way === 'drawn' && (
          <DrawPad value={mark.drawn} onChange={(drawn) => change({ drawn })} onType={() => change({ way: 'typed' })} />
        )}
        {way === 'picture' && <PicturePart value={mark.picture} onChange={(picture) => change({ picture })} />}
      </Suspense>
      <Checkbox
        size="sm"
        label={attest}
        checked={mark.isAttested}
        error={missing.attest ? t('missing.attest') : undefined}
        onChange={(event) => change({ isAttested: event.currentTarget.checked })}
      />
    </>
  );
}

function TypedName({ signature: { mark, change, missing }, errors }: Omit<Props, 'attest'>) {
  const t = useTranslations('signature');
  return (
    <TextInput
      label={t('typed')}
      description={t('typedHint')}
      value={mark.typed}
      maxLength={200}
      autoComplete="name"
      required
      error={errors['signature.typed_name'] ?? errors['typed_name'] ?? (missing.mark ? t('missing.typed') : null)}
      onChange={(event) => change({ typed: event.currentTarget.value })}
    />
  );
}
