import { Button } from '@mantine/core';
import { roles, type Permission, type PermissionRow, type Role, type RoleImpact } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { usePermissionLabel } from '../../ui/permission-labels.ts';
import { useRoleName } from '../../ui/role-name.ts';
import { useToast } from '../../ui/toasts.tsx';
import type { RoleDraft } from './use-role-draft.ts';

type Props = {
  role: Role;
  catalogue: readonly PermissionRow[];
  draft: RoleDraft;
  opened: boolean;
  onClose: () => void;
};

/** The added and removed permissions of a role, and the number of affected users, before saving. */
export function Review({ opened, onClose, ...props }: Props) {
  const t = useTranslations('roles');
  const roleName = useRoleName();
  return (
    <Dialog title={t('reviewTitle', { name: roleName(props.role.name) })} opened={opened} onClose={onClose} size="lg">
      {opened && <Content {...props} onClose={onClose} />}
    </Dialog>
  );
}

function Content({ role, catalogue, draft, onClose }: Omit<Props, 'opened'>) {
  const t = useTranslations('roles');
  const roleName = useRoleName();
  const toast = useToast();
  const { gives, takes, isPending } = draft;
  const query = { gives: gives as Permission[], takes: takes as Permission[] };
  const impact = useQuery(
    load(roles.impact, { params: { id: role.id }, query: { gives: query.gives.join(), takes: query.takes.join() } }),
  );
  const failed = failedWithoutData(impact);
  const found = failed ? null : impact.data?.data;
  const save = async () => {
    if (!(await draft.save())) return;
    onClose();
    toast({ text: t('permissionsSaved', { name: roleName(role.name) }) });
  };
  return (
    <>
      <ErrorNotice error={draft.error} />
      <ConcurrentChange catalogue={catalogue} draft={draft} />
      <Side title={t('gives')} names={gives} moved={found && found.gains} word="gain" catalogue={catalogue} />
      <Side title={t('takes')} names={takes} moved={found && found.losses} word="lose" catalogue={catalogue} />
      {found && <Sum impact={found} />}
      {failed && <ErrorState error={impact.error} onRetry={() => void impact.refetch()} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('back')}
        </Button>
        <Button data-autofocus loading={isPending} disabled={!draft.isDirty} onClick={() => void save()}>
          {t('save')}
        </Button>
      </DialogActions>
    </>
  );
}

type SideProps = {
  title: string;
  names: readonly string[];
  /** The number of affected users; null if it is unknown. */
  moved: RoleImpact['gains'] | null | undefined;
  word: 'gain' | 'lose';
  catalogue: readonly PermissionRow[];
};

function Side({ title, names, moved, word, catalogue }: SideProps) {
  const t = useTranslations('roles');
  const label = usePermissionLabel();
  const items = catalogue
    .filter(({ name }) => names.includes(name))
    .map((one) => {
      const people = moved?.find(({ permission }) => permission === one.name)?.people;
      const unknown = moved === null ? null : '…';
      return { label: label(one), value: people === undefined ? unknown : t(word, { count: people }) };
    });
  return <DescriptionList title={title} items={items} />;
}

function Sum({ impact }: { impact: RoleImpact }) {
  const t = useTranslations('roles');
  return <p className="muted">{impact.holders === 0 ? t('noHolders') : t('counts', { count: impact.holders })}</p>;
}

/** A concurrent change of the role by another user. */
function ConcurrentChange({ catalogue, draft: { concurrentChange } }: Pick<Props, 'catalogue' | 'draft'>) {
  const t = useTranslations('roles');
  const format = useFormatter();
  const label = usePermissionLabel();
  if (!concurrentChange) return null;
  const list = (names: readonly string[]) =>
    format.list(catalogue.filter(({ name }) => names.includes(name)).map((one) => label(one)));
  const { given, taken } = concurrentChange;
  return (
    <Notice kind="history">
      <p>{t('meanwhile')}</p>
      {given.length > 0 && <p>{t('meanwhileGiven', { list: list(given) })}</p>}
      {taken.length > 0 && <p>{t('meanwhileTaken', { list: list(taken) })}</p>}
      {given.length + taken.length === 0 && <p>{t('meanwhileOther')}</p>}
      <p>{t('meanwhileYours')}</p>
    </Notice>
  );
}
