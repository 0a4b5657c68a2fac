import type { ProbationReview } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../../paths.ts';
import { DescriptionList } from '../../../ui/DescriptionList.tsx';
import { SignatureList } from '../signature/SignatureList.tsx';

/** The signatures of a review by round, and whether each is valid. */
export function Signatures({ review: { id, signatures } }: { review: ProbationReview }) {
  const t = useTranslations('probationReview');
  if (!signatures) return null;
  return (
    <DescriptionList
      title={t('signatures')}
      items={[]}
      empty={
        signatures.length === 0 ? (
          <p className="muted">{t('noSignatures')}</p>
        ) : (
          <SignatureList signatures={signatures} level="h3" />
        )
      }
      actions={
        signatures.length > 0 && (
          <Link to={paths.probationVerification} params={{ id: String(id) }} data-screen>
            {t('verify')}
          </Link>
        )
      }
    />
  );
}
