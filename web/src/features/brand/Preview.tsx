import type { Brand } from '@tenure/contract';
import { cut } from '@tenure/contract/cut';
import { accentsOf, contrast, type Accent, type Hex } from '@tenure/contract/colour';
import { Box } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { apiBase } from '../../api/base.ts';
import { BlobPicture } from '../../ui/BlobPicture.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import classes from './brand.module.css';

export type Shown = {
  name: string;
  accent: Hex;
  logo: Brand['logo'];
  /** A selected logo that is not saved yet. */
  file: File | undefined;
};

const schemes = ['light', 'dark'] as const;

/** What the application looks like with the brand, in both schemes. */
export function Preview({ shown }: { shown: Shown }) {
  const t = useTranslations('brand');
  const accents = accentsOf(shown.accent);
  return (
    <section aria-label={t('preview')}>
      <SectionTitle mb={10}>{t('preview')}</SectionTitle>
      <div className={classes['schemes']}>
        {schemes.map((scheme) => (
          <Sample key={scheme} scheme={scheme} accent={accents[scheme]} shown={shown} />
        ))}
      </div>
      <p className="muted">
        {t('contrast', {
          light: contrast('#ffffff', accents.light.filled),
          dark: contrast('#ffffff', accents.dark.filled),
        })}
      </p>
    </section>
  );
}

type SampleProps = { scheme: (typeof schemes)[number]; accent: Accent; shown: Shown };

function Sample({ scheme, accent, shown }: SampleProps) {
  const t = useTranslations('brand');
  return (
    <div className={classes['sample']} data-scheme={scheme} aria-hidden>
      <div className={classes['side']}>
        <span className={classes['head']}>
          <LogoOf shown={shown} fill={accent.filled} />
          {(shown.file !== undefined || !shown.logo || shown.logo.width <= shown.logo.height * 2) && (
            <span>{shown.name}</span>
          )}
        </span>
        <span className={classes['line']} style={{ background: accent.soft, color: accent.accent }}>
          {t('sample.chosen')}
        </span>
        <span className={classes['line']}>{t('sample.other')}</span>
      </div>
      <div className={classes['sheet']}>
        <span style={{ color: accent.accent, textDecoration: 'underline' }}>{t('sample.link')}</span>
        <span className={classes['button']} style={{ background: accent.filled }}>
          {t('sample.button')}
        </span>
      </div>
    </div>
  );
}

/** The logo, the chosen file, or the first letter. */
export function LogoOf({ shown, fill }: { shown: Shown; fill: string }) {
  const style = { height: 28, maxWidth: 140, objectFit: 'contain', objectPosition: 'left' } as const;
  if (shown.file) return <BlobPicture content={shown.file} alt="" style={style} />;
  if (shown.logo) return <img src={`${apiBase}${shown.logo.url}`} alt="" style={style} />;
  return (
    <Box component="span" className={classes['mark'] ?? ''} bg={fill}>
      {cut(shown.name, 1).toUpperCase()}
    </Box>
  );
}
