import { Button, Group, Paper, Stack } from '@mantine/core';
import { announcements, home, type HomeNews } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load, useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { Block } from '../../figures/Figures.tsx';
import { paths } from '../../paths.ts';
import { Day } from '../../ui/Dates.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { focusNeighbour } from '../../ui/focus-neighbour.ts';
import { useToast } from '../../ui/toasts.tsx';
import classes from './Home.module.css';
import { linked } from './linked.ts';

const newsQuery = load(home.news, {});

type Shown = HomeNews['announcements'][number];

/** The announcements of today that the user has not hidden. */
export function AnnouncementsBlock({ shown }: { shown: readonly Shown[] }) {
  const t = useTranslations('home.announcements');
  const { can } = useSession();
  const { hide, error } = useHide();
  return (
    <Block
      title={t('title')}
      aside={can('announcements.manage') && <Link to={paths.announcements}>{t('manage')}</Link>}
    >
      <ErrorNotice error={error} />
      <Stack gap={12}>
        {shown.map((one) => (
          <Paper key={one.id} component="article" withBorder radius="lg" p={16} aria-label={one.title}>
            <Group justify="space-between" align="start" wrap="nowrap">
              <h3 className={classes['headline']}>
                <bdi>{one.title}</bdi>
              </h3>
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                flex="none"
                data-hide
                aria-label={t('hideOf', { title: one.title })}
                onClick={({ currentTarget }) => {
                  focusNeighbour(currentTarget, '[data-hide]');
                  hide(one);
                }}
              >
                {t('hide')}
              </Button>
            </Group>
            <p className={classes['text']} dir="auto">
              {linked(one.body).map(({ text, url }, place) =>
                url === undefined ? (
                  text
                ) : (
                  // oxlint-disable-next-line react/no-array-index-key -- a piece of text has no other identity
                  <a key={place} href={url} target="_blank" rel="noopener noreferrer">
                    {text}
                  </a>
                ),
              )}
            </p>
            <p className="muted small">
              <Day value={one.starts_on} />
            </p>
          </Paper>
        ))}
      </Stack>
    </Block>
  );
}

/** Hides an announcement at once, and offers to undo it. */
function useHide() {
  const t = useTranslations('home.announcements');
  const toast = useToast();
  const queries = useQueryClient();
  const dismiss = useSend(announcements.dismiss);
  const restore = useSend(announcements.restore);
  const hide = ({ id, title }: Shown) => {
    const params = { id };
    const { queryKey } = newsQuery;
    const refetch = () => void queries.invalidateQueries({ queryKey });
    queries.setQueryData(queryKey, (old) => {
      if (!old) return old;
      return { ...old, data: { ...old.data, announcements: old.data.announcements.filter((one) => one.id !== id) } };
    });
    dismiss.mutate(
      { params },
      {
        onError: refetch,
        onSuccess: () => toast({ text: t('hidden', { title }), undo: () => restore.mutate({ params }) }),
      },
    );
  };
  return { hide, error: dismiss.error ?? restore.error };
}
