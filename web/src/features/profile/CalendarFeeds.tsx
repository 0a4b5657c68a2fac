import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { IconCalendar, IconPlus } from '@tabler/icons-react';
import { calendarFeeds, feedKinds, maxFeeds, type CalendarFeed, type FeedKind } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load, useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { closing } from '../../ui/closing.ts';
import { CopyText } from '../../ui/CopyText.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { Dialog, DialogActions, DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { Block } from './Block.tsx';

const line = '1px solid var(--line)';

/** The addresses at which calendar applications read the user's due dates. */
export function CalendarFeeds() {
  const t = useTranslations('calendarFeeds');
  const query = useQuery(load(calendarFeeds.list, { query: { per_page: 100 } }));
  if (query.isPending) return <LoadingLines lines={3} />;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const feeds = query.data.data;
  return (
    <Block title={t('title')} lead={t('lead')}>
      {feeds.length === 0 && <p className="muted">{t('none')}</p>}
      {feeds.length > 0 && (
        <ul aria-label={t('title')} style={{ borderBlockStart: line }}>
          {feeds.map((feed) => (
            <OneFeed key={feed.id} feed={feed} />
          ))}
        </ul>
      )}
      {feeds.length >= maxFeeds ? <p className="muted">{t('full', { most: maxFeeds })}</p> : <Make />}
    </Block>
  );
}

function useKindsIn() {
  const t = useTranslations('calendarFeeds.kind');
  return (kinds: readonly FeedKind[]) => kinds.map((kind) => t(kind)).join(', ');
}

function OneFeed({ feed }: { feed: CalendarFeed }) {
  const t = useTranslations('calendarFeeds');
  const kindsIn = useKindsIn();
  return (
    <Group gap={14} px={4} py={12} style={{ borderBlockEnd: line }} renderRoot={(props) => <li {...props} />}>
      <IconCalendar className="muted" size={22} stroke={1.5} style={{ flex: 'none' }} aria-hidden />
      <Stack flex="1 1 14rem" gap={2} miw={0} fz="sm">
        <Group gap="2px 10px" fz="md" fw={550}>
          {kindsIn(feed.kinds)} {feed.with_names && <StatusBadge tone="quiet" label={t('named')} />}
        </Group>
        <span className="muted">
          {t('added')} <Moment value={feed.created_at} />
          {' · '}
          {feed.last_used_at === null ? (
            t('never')
          ) : (
            <>
              {t('used')} <Moment value={feed.last_used_at} />
            </>
          )}
        </span>
      </Stack>
      <Remove feed={feed} />
    </Group>
  );
}

function Remove({ feed: { id, kinds } }: { feed: CalendarFeed }) {
  const t = useTranslations('calendarFeeds');
  const kindsIn = useKindsIn();
  const toast = useToast();
  const [opened, setOpened] = useState(false);
  const send = useSend(calendarFeeds.delete);
  const close = closing(() => setOpened(false), send);
  const remove = () => send.mutate({ params: { id } }, { onSuccess: () => toast({ text: t('removed') }) });
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setOpened(true)}>
        {t('remove')}
        <span className="visually-hidden"> {kindsIn(kinds)}</span>
      </Button>
      <Dialog title={t('removeTitle')} opened={opened} onClose={close}>
        <p>{t('removeText')}</p>
        <ErrorNotice error={send.error} />
        <DialogActions>
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
          <Button color="red" loading={send.isPending} onClick={remove}>
            {t('remove')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

/** A button that creates an address in a dialog, and shows it once. */
function Make() {
  const t = useTranslations('calendarFeeds');
  const [isOpen, setIsOpen] = useState(false);
  const [made, setMade] = useState<string>();
  const close = () => {
    setIsOpen(false);
    setMade(undefined);
  };
  return (
    <>
      <div>
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
          {t('make')}
        </Button>
      </div>
      <Dialog
        title={t(made === undefined ? 'make' : 'madeTitle')}
        opened={isOpen}
        onClose={close}
        showsOnce={made !== undefined}
      >
        {made === undefined ? <FeedForm onMade={setMade} onCancel={close} /> : <Made url={made} onClose={close} />}
      </Dialog>
    </>
  );
}

type FormProps = { onMade: (url: string) => void; onCancel: () => void };

function FeedForm({ onMade, onCancel }: FormProps) {
  const t = useTranslations('calendarFeeds');
  const { can } = useSession();
  const offered = feedKinds.filter((kind) => kind !== 'probation_ends' || can('probation-review.view'));
  const [kinds, setKinds] = useState<readonly string[]>(offered);
  const [withNames, setWithNames] = useState(false);
  const send = useSend(calendarFeeds.create);
  const submit = () =>
    send.mutate(
      { body: { kinds: feedKinds.filter((kind) => kinds.includes(kind)), with_names: withNames } },
      { onSuccess: ({ url }) => onMade(url) },
    );
  return (
    <DialogForm onSubmit={submit}>
      <ErrorNotice error={send.error} fields={['kinds']} />
      <Checkbox.Group
        label={t('kinds')}
        description={t('kindsHint')}
        value={[...kinds]}
        onChange={setKinds}
        error={send.error?.fieldErrors['kinds']}
      >
        <Stack gap={8} mt={8}>
          {offered.map((kind) => (
            <Checkbox key={kind} value={kind} label={t(`kind.${kind}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Checkbox
        label={t('withNames')}
        description={t('withNamesHint')}
        checked={withNames}
        onChange={({ currentTarget }) => setWithNames(currentTarget.checked)}
      />
      <FormActions cancel={t('cancel')} onCancel={onCancel} submit={t('create')} loading={send.isPending} />
    </DialogForm>
  );
}

/** The address, shown only this once. */
function Made({ url, onClose }: { url: string; onClose: () => void }) {
  const t = useTranslations('calendarFeeds');
  return (
    <>
      <p>{t('madeText')}</p>
      <CopyText text={url} label={t('address')} size="sm" />
      <DialogActions>
        <Button onClick={onClose}>{t('close')}</Button>
      </DialogActions>
    </>
  );
}
