import type { ProbationSignature } from '@tenure/contract';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { apiBase } from '../../../api/base.ts';
import { Moment } from '../../../ui/Dates.tsx';
import classes from '../../../ui/Panes.module.css';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { SignaturePicture } from './SignaturePicture.tsx';

type Props<Row> = {
  signatures: readonly Row[];
  /** The heading level of the signatures. */
  level: 'h2' | 'h3';
  /** Additional content of each signature. */
  more?: (row: Row) => ReactNode;
};

/** Signatures with signer, time, round and validity. */
export const SignatureList = <Row extends ProbationSignature>({ signatures, level, more }: Props<Row>) => (
  <ul className={classes['sides']}>
    {signatures.map((row) => (
      <li key={row.id} className={classes['side']}>
        <OneSignature row={row} level={level} />
        {more?.(row)}
      </li>
    ))}
  </ul>
);

type OneProps = { row: ProbationSignature; level: 'h2' | 'h3' };

function OneSignature({ row, level: Heading }: OneProps) {
  const t = useTranslations('probationSignatures');
  const { role, signer, typed_name: typed, image_url: image, valid, voided_at: voided, round } = row;
  return (
    <>
      <div>
        <Heading style={{ margin: 0, fontSize: '0.875rem' }}>{t(`role.${role}`)}</Heading>
        <StatusBadge tone={valid ? 'good' : 'quiet'} label={t(valid ? 'valid' : 'voided')} />
      </div>
      {image === null ? (
        <p
          lang=""
          style={{ fontFamily: 'cursive', fontStyle: 'italic', fontSize: '1.375rem', overflowWrap: 'anywhere' }}
        >
          <bdi>{typed}</bdi>
        </p>
      ) : (
        <SignaturePicture src={`${apiBase}${image}`} alt={t('pictureOf', { name: signer.name })} />
      )}
      <p className="muted">
        <bdi>{signer.name}</bdi> · <Moment value={row.signed_at} /> · {t('round', { round })}
        {voided !== null && (
          <>
            <br />
            {t('voidedAt')} <Moment value={voided} />
          </>
        )}
      </p>
    </>
  );
}
