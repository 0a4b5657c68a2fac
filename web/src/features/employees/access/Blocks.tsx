import { Alert, Button, Group } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { signInBlocks, type Employee, type SignInBlock } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { load, useSend } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { closing } from '../../../ui/closing.ts';
import { Dialog, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useLastShown } from '../../../ui/use-last-shown.ts';
import { useToast } from '../../../ui/toasts.tsx';

/** What blocks a person's sign-in, for users who may see it. */
export function useBlocks({ id, user }: Pick<Employee, 'id' | 'user'>): readonly SignInBlock[] {
  const { can } = useSession();
  const isSeen = can('employees.reset_password') && user !== null;
  return useQuery({ ...load(signInBlocks.list, { params: { id } }), enabled: isSeen }).data?.data ?? [];
}

/** Who switched off a person's sign-in; renders nothing if no one did. */
export function Blocks({ employee }: { employee: Employee }) {
  const { can } = useSession();
  const [asked, setAsked] = useState<SignInBlock>();
  const blocks = useBlocks(employee);
  const mayLift = ({ by_hand }: SignInBlock) =>
    can('identity.manage') || (by_hand && employee.allowed_actions.includes('sign-in-block'));
  return (
    <>
      {blocks.map((block) => (
        <Block key={block.id} block={block} {...(mayLift(block) && { onLift: setAsked })} />
      ))}
      <Lift
        employeeId={employee.id}
        name={employee.display_name}
        block={asked}
        isOnly={blocks.length < 2}
        onClose={() => setAsked(undefined)}
      />
    </>
  );
}

function Block({ block, onLift }: { block: SignInBlock; onLift?: (block: SignInBlock) => void }) {
  const t = useTranslations('signInWays');
  return (
    <Alert
      color="red"
      bg="var(--danger-bg)"
      styles={{ icon: danger, message: danger }}
      icon={<IconLock size={18} aria-hidden />}
    >
      <Group justify="space-between" gap={12}>
        <span style={{ overflowWrap: 'anywhere' }}>{useBlockText(block)}</span>
        {onLift && (
          <Button variant="default" size="compact-md" onClick={() => onLift(block)}>
            {t('lift')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

function useBlockText({ source, by_hand, by, reason, since: at }: SignInBlock): string {
  const t = useTranslations('signInWays');
  const format = useFormatter();
  const since = format.dateTime(new Date(at), { dateStyle: 'medium', timeStyle: 'short' });
  if (source !== null) return t('blocked', { source, since });
  if (!by_hand) return t('blockedBefore', { since });
  if (reason === null) return t('blockedByHand', { since });
  return by === null ? t('blockedFor', { since, reason }) : t('blockedBy', { source: by, since, reason });
}

const danger = { color: 'var(--danger)' };

type LiftProps = {
  employeeId: number;
  name: string;
  block: SignInBlock | undefined;
  isOnly: boolean;
  onClose: () => void;
};

function Lift({ employeeId, name, block, isOnly, onClose }: LiftProps) {
  const t = useTranslations('signInWays');
  const toast = useToast();
  const [lift, allow] = [useSend(signInBlocks.lift), useSend(signInBlocks.allow)];
  const shown = useLastShown(block);
  const close = closing(onClose, lift, allow);
  const done = () => {
    close();
    toast({ text: t(isOnly ? 'lifted' : 'liftedButOthers', { name }) });
  };
  const submit = ({ id: blockId, by_hand }: SignInBlock) =>
    by_hand
      ? allow.mutate({ params: { id: employeeId } }, { onSuccess: done })
      : lift.mutate({ params: { id: employeeId, blockId } }, { onSuccess: done });
  return (
    <Dialog title={t('liftTitle', { name })} opened={block !== undefined} onClose={close}>
      <DialogForm onSubmit={() => block && submit(block)}>
        <p>
          {shown?.by_hand && t('liftTextByHand')}
          {!shown?.by_hand && (shown?.source ? t('liftText', { source: shown.source }) : t('liftTextBefore'))}
        </p>
        <ErrorNotice error={lift.error ?? allow.error} />
        <FormActions
          cancel={t('cancel')}
          onCancel={close}
          submit={t('liftConfirm')}
          color="red"
          loading={lift.isPending || allow.isPending}
        />
      </DialogForm>
    </Dialog>
  );
}
