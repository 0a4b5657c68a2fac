import { useFormatter, useTranslations } from 'use-intl';

type Limit = { types: readonly string[]; bytes: number };

const MB = 1_048_576;

/** Why the service would refuse a file, checked before sending; undefined if it would not. */
export function useFileCheck({ types, bytes }: Limit): (file: File) => string | undefined {
  const t = useTranslations('fileCheck');
  const format = useFormatter();
  return ({ name, size }) => {
    const ending = name.includes('.') ? (name.split('.').at(-1) ?? '').toLowerCase() : '';
    if (!types.includes(ending)) return t('type', { types: format.list([...types], { type: 'disjunction' }) });
    if (size === 0) return t('empty');
    return size > bytes ? t('size', { most: bytes / MB }) : undefined;
  };
}
