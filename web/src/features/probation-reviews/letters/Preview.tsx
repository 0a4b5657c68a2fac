import { letterPlaceholders } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import classes from '../../../ui/Panes.module.css';
import { paper } from '../signature/SignaturePicture.tsx';

type Props = { title: string; body: string };

/** The preview of a letter, with example values for its placeholders. */
export function Preview({ title, body }: Props) {
  const t = useTranslations('letters');
  const filled = (text: string) =>
    text.replace(/\{\{\s*(\w+)\s*\}\}/g, (all, name: string) => {
      const known = letterPlaceholders.find((one) => one === name);
      return known ? t(`example.${known}`) : all;
    });
  const paragraphs = filled(body).split(/\n\s*\n/);
  return (
    <section aria-label={t('preview')} className={classes['pane']}>
      <p className="muted">{t('previewLead')}</p>
      <div style={{ ...paper, padding: '24px 26px', color: '#1f1d1b', overflowWrap: 'anywhere' }} dir="auto">
        <p>
          <b>{filled(title)}</b>
        </p>
        {paragraphs.map((text, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a paragraph has no other key
          <p key={index} className={classes['words']} style={{ marginTop: 12 }}>
            {text}
          </p>
        ))}
      </div>
    </section>
  );
}
