import { Checkbox, TextInput } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { Segments } from '../../../ui/Segments.tsx';
import { signatureKinds, type Signature, type SignatureKind } from './use-signature.ts';

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
  const { kind } = mark;
  const refused = errors['signature.image'] ?? errors['image'] ?? errors['signature.method'] ?? errors['method'];
  const problem = refused ?? (kind !== 'typed' && missing.mark ? t(`missing.${kind}`) : undefined);
  return (
    <>
      <Segments
        label={t('title')}
        choices={signatureKinds.map((value) => ({ value, label: t(`way.${value}`) }))}
        value={kind}
        onChange={(kind) => change({ kind: kind as SignatureKind })}
        error={problem}
      />
      {kind === 'typed' && <TypedName signature={signature} errors={errors} />}
      <Suspense fallback={<p className="muted">{t('loading')}</p>}>
        {kind === 'drawn' && (
          <DrawPad
            value={mark.drawn}
            onChange={(drawn) => change({ drawn })}
            onType={() => change({ kind: 'typed' })}
          />
        )}
        {kind === 'picture' && <PicturePart value={mark.picture} onChange={(picture) => change({ picture })} />}
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
