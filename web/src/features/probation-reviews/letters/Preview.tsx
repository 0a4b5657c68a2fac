import { companyBrand, entities, letterPlaceholders, profile } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { apiBase } from '../../../api/base.ts';
import { load } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import classes from '../../../ui/Panes.module.css';
import { RecordSelect } from '../../../ui/RecordSelect.tsx';
import letter from './paper.module.css';

type Props = { title: string; body: string };

/** The preview of a letter, with example values for its placeholders, on the letterhead of a company. */
export function Preview({ title, body }: Props) {
  const t = useTranslations('letters');
  const { can } = useSession();
  const own = useQuery(load(profile.get, {})).data?.data.employee?.entity;
  const [selected, setSelected] = useState<number>();
  const company = selected ?? own?.id;
  const filled = (text: string) =>
    text.replace(/\{\{\s*(\w+)\s*\}\}/g, (all, name: string) => {
      const known = letterPlaceholders.find((one) => one === name);
      return known ? t(`example.${known}`) : all;
    });
  const paragraphs = filled(body).split(/\n\s*\n/);
  return (
    <section aria-label={t('preview')} className={classes['pane']}>
      <p className="muted">{t('previewLead')}</p>
      {can('entities.view') && (
        <RecordSelect
          label={t('letterheadOf')}
          labelled
          list={entities.list}
          value={company}
          known={own}
          placeholder={t('letterheadNone')}
          clearable={false}
          onChange={setSelected}
        />
      )}
      <Letterhead company={can('entities.view') ? company : undefined}>
        <p>
          <b>{filled(title)}</b>
        </p>
        {paragraphs.map((text, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a paragraph has no other key
          <p key={index} className={classes['words']} style={{ marginTop: 12 }}>
            {text}
          </p>
        ))}
      </Letterhead>
    </section>
  );
}

/** Logo, name and address above the letter, register and footer below it, as on the document. */
function Letterhead({ company, children }: { company: number | undefined; children: ReactNode }) {
  const found = useQuery({
    ...load(companyBrand.get, { params: { id: company ?? 0 } }),
    enabled: company !== undefined,
    placeholderData: keepPreviousData,
  });
  const brand = found.data?.data;
  const logo = brand && (brand.logo ?? brand.installation.logo);
  const accent = brand?.accent ?? brand?.installation.accent;
  const address = brand && (brand.letter_address ?? brand.company.address);
  return (
    <div className={letter['paper']} dir="auto">
      {brand && (
        <div className={letter['head']} data-letterhead {...(accent && { style: { borderColor: accent } })}>
          {logo && <img src={`${apiBase}${logo.url}`} alt="" />}
          <div>
            <strong>{brand.name ?? brand.company.name}</strong>
            {address && <div className={letter['small']}>{address}</div>}
          </div>
        </div>
      )}
      {children}
      {brand && (brand.letter_registration ?? brand.letter_footer) && (
        <div className={`${letter['small']} ${letter['foot']}`}>
          {[brand.letter_registration, brand.letter_footer].filter(Boolean).join('\n')}
        </div>
      )}
    </div>
  );
}
