import { Button, Group, TextInput } from '@mantine/core';
import { scimConnections, type ScimConnection } from '@tenure/contract';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { closing } from '../../ui/closing.ts';
import { Dialog, DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useLastShown } from '../../ui/use-last-shown.ts';
import { useToast } from '../../ui/toasts.tsx';
import { Preview } from './Preview.tsx';

const route = getRouteApi('/shell/settings/provisioning');
type Question = 'enable' | 'disable' | 'delete' | 'live' | 'rehearse';

/** The available actions, the most common one last. */
function questionsOf({ is_dry_run, allowed_actions }: ScimConnection): Question[] {
  const allowed = new Set(allowed_actions);
  return [
    ...(['delete', 'disable'] as const).filter((action) => allowed.has(action)),
    ...(allowed.has('update') ? ([is_dry_run ? 'live' : 'rehearse'] as const) : []),
    ...(['enable'] as const).filter((action) => allowed.has(action)),
  ];
}

/** Enables and disables a connection, starts and ends its dry run, and deletes it; each action asks first. */
export function Switches({ connection }: { connection: ScimConnection }) {
  const t = useTranslations('provisioning');
  const [asked, setAsked] = useState<Question>();
  return (
    <Group gap={8}>
      {questionsOf(connection).map((action) => (
        <Button
          key={action}
          variant={action === 'enable' || (action === 'live' && connection.is_enabled) ? 'filled' : 'default'}
          onClick={() => setAsked(action)}
        >
          {t(`action.${action}`)}
        </Button>
      ))}
      <Confirm
        key={asked === 'live' ? 'live' : 'other'}
        connection={connection}
        asked={asked}
        onClose={() => setAsked(undefined)}
      />
    </Group>
  );
}

type Props = { connection: ScimConnection; asked: Question | undefined; onClose: () => void };

function useAct({ id, revision }: ScimConnection) {
  const update = useSend(scimConnections.update);
  const remove = useSend(scimConnections.delete);
  const enable = useSend(scimConnections.enable);
  const disable = useSend(scimConnections.disable);
  const sends = { enable, disable, delete: remove, live: update, rehearse: update };
  const act = (question: Question, onSuccess: () => void) => {
    const params = { id };
    if (question === 'delete') remove.mutate({ params }, { onSuccess });
    else if (question === 'enable') enable.mutate({ params, body: { revision } }, { onSuccess });
    else if (question === 'disable') disable.mutate({ params, body: { revision } }, { onSuccess });
    else update.mutate({ params, body: { is_dry_run: question === 'rehearse', revision } }, { onSuccess });
  };
  return { sends, act };
}

function Confirm({ connection, asked, onClose }: Props) {
  const t = useTranslations('provisioning');
  const toast = useToast();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState('');
  const { sends, act } = useAct(connection);
  const { question } = useLastShown(asked && { question: asked }) ?? { question: 'disable' as const };
  const { name, blocked_count: count, is_dry_run: isDry } = connection;
  const send = sends[question];
  const close = closing(onClose, send);
  const done = () => {
    close();
    toast({ text: t(`done.${question}`, { name }) });
    if (question === 'delete') void navigate({ search: {}, ignoreBlocker: true });
  };
  const about = question === 'enable' && !isDry ? 'enableLive' : question;
  return (
    <Dialog title={t(`ask.${question}`, { name })} opened={asked !== undefined} onClose={close}>
      <DialogForm onSubmit={() => act(question, done)}>
        <p>{t(`about.${about}`, { count })}</p>
        {question === 'live' && (
          <>
            {asked && <Preview id={connection.id} />}
            <p>{t('about.restart')}</p>
            <TextInput
              label={t('preview.type', { name })}
              value={typed}
              autoComplete="off"
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          </>
        )}
        <ErrorNotice error={send.error} />
        <FormActions
          cancel={t('cancel')}
          onCancel={close}
          submit={t(`confirm.${question}`)}
          loading={send.isPending}
          disabled={question === 'live' && !isTyped(typed, name)}
          {...(question !== 'enable' && question !== 'rehearse' && { color: 'red' })}
        />
      </DialogForm>
    </Dialog>
  );
}

const isTyped = (typed: string, word: string) => typed.trim().toLowerCase() === word.trim().toLowerCase();
