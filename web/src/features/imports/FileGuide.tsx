import { IconDownload } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { address } from '../../api/call.ts';
import classes from './imports.module.css';
import { useImportKind } from './kinds.ts';
import { useFieldName } from './use-field-name.ts';

const formats = ['csv', 'xlsx'] as const;

/** What a file should look like, with one to start from. */
export function FileGuide() {
  const t = useTranslations('imports');
  const { api, fields, required, type } = useImportKind();
  const own = useTranslations(`imports.${type}`);
  const names = useFieldName();
  const optional = fields.filter((field) => !required.includes(field) && !field.endsWith('_id'));
  return (
    <aside className={classes['guide']} aria-labelledby="file-guide">
      <h2 id="file-guide">{t('guide')}</h2>
      <p className="muted">{own('guideText')}</p>
      <div className={classes['samples']}>
        {formats.map((format) => (
          <a key={format} href={address(api.sample, { query: { format } })} download>
            <IconDownload size={15} aria-hidden /> {t(`sample.${format}`)}
          </a>
        ))}
      </div>
      <h3>{t('requiredColumns')}</h3>
      <ul className={classes['chips']}>
        {required.map((field) => (
          <li key={field} data-required>
            {names(field)}
          </li>
        ))}
      </ul>
      <h3>{t('optionalColumns')}</h3>
      <ul className={classes['chips']}>
        {optional.map((field) => (
          <li key={field}>{names(field)}</li>
        ))}
      </ul>
    </aside>
  );
}
