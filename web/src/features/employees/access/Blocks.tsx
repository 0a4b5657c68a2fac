import { Alert, Button, Group } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { signInBlocks, type Employee, type SignInBlock } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { load, useSend } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { Dialog, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useLastShown } from '../../../ui/use-last-shown.ts';
import { useToast } from '../../../ui/toasts.tsx';

/** Who switched the sign-in of a person off; nothing where no one did. Administrators can lift it. */
export function Blocks({ employee: { id, display_name: name } }: { employee: Employee }) {
  const query = useQuery(load(signInBlocks.list, { params: { id } }));
  const [asked, setAsked] = useState<SignInBlock>();
  const blocks = query.data?.data ?? [];
  return (
    <>
      {blocks.map((block) => (
        <Block key={block.id} block={block} onLift={setAsked} />
      ))}
      <Lift employeeId={id} name={name} block={asked} onClose={() => setAsked(undefined)} />
    </>
  );
}

function Block({ block, onLift }: { block: SignInBlock; onLift: (block: SignInBlock) => void }) {
  const t = useTranslations('signInWays');
  const format = useFormatter();
  const { can } = useSession();
  const since = format.dateTime(new Date(block.since), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Alert
      color="red"
      bg="var(--danger-bg)"
      styles={{ icon: danger, message: danger }}
      icon={<IconLock size={18} aria-hidden />}
    >
      <Group justify="space-between" gap={12}>
        <span>
          {block.source === null ? t('blockedBefore', { since }) : t('blocked', { source: block.source, since })}
        </span>
        {can('identity.manage') && (
          <Button variant="default" size="compact-md" onClick={() => onLift(block)}>
            {t('lift')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

const danger = { color: 'var(--danger)' };

type LiftProps = { employeeId: number; name: string; block: SignInBlock | undefined; onClose: () => void };

function Lift({ employeeId, name, block, onClose }: LiftProps) {
  const t = useTranslations('signInWays');
  const toast = useToast();
  const lift = useSend(signInBlocks.lift);
  const source = useLastShown(block)?.source;
  const close = () => {
    lift.reset();
    onClose();
  };
  const done = () => {
    close();
    toast({ text: t('lifted', { name }) });
  };
  return (
    <Dialog title={t('liftTitle', { name })} opened={block !== undefined} onClose={close}>
      <DialogForm
        onSubmit={() => block && lift.mutate({ params: { id: employeeId, blockId: block.id } }, { onSuccess: done })}
      >
        <p>{source ? t('liftText', { source }) : t('liftTextBefore')}</p>
        <ErrorNotice error={lift.error} />
        <FormActions
          cancel={t('cancel')}
          onCancel={close}
          submit={t('liftConfirm')}
          color="red"
          loading={lift.isPending}
        />
      </DialogForm>
    </Dialog>
  );
}
