import { useTranslations } from 'use-intl';
import { useNews } from './use-news.ts';

/** Listens for news and says the latest to whoever does not see the bell. */
export function News() {
  const t = useTranslations('nav');
  const news = useNews();
  return <output className="visually-hidden">{news && t('news', { title: news.title })}</output>;
}
