import { accentsOf } from '@tenure/contract/colour';
import { useTranslations } from 'use-intl';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import type { LetterField } from './fields.ts';
import classes from './brand.module.css';
import { LogoOf, type Shown } from './Preview.tsx';

type Props = { shown: Shown; texts: Readonly<Record<LetterField, string | null>> };

/** The head and the foot of a letter of the company. */
export function Letterhead({ shown, texts }: Props) {
  const t = useTranslations('brand');
  const { accent, filled } = accentsOf(shown.accent).light;
  return (
    <section aria-label={t('letter')}>
      <SectionTitle mb={10}>{t('letter')}</SectionTitle>
      <div className={classes['letter']} data-letter>
        <div className={classes['letterHead']} style={{ borderColor: accent }}>
          <LogoOf shown={shown} fill={filled} />
          <div>
            <strong>{shown.name}</strong>
            {texts.letter_address && <div>{texts.letter_address}</div>}
          </div>
        </div>
        <div className={classes['letterFoot']}>
          {texts.letter_registration && <div>{texts.letter_registration}</div>}
          {texts.letter_footer && <div>{texts.letter_footer}</div>}
        </div>
      </div>
    </section>
  );
}
