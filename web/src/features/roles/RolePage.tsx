import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { roles, type PermissionRow, type Role } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { NotFoundPage } from '../../layout/ErrorPages.tsx';
import { isId, paths } from '../../paths.ts';
import { ActionWithMenu } from '../../ui/ActionWithMenu.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FootBar } from '../../ui/FootBar.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { ListSkeleton } from '../../ui/ListView.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import record from '../../ui/RecordPage.module.css';
import { useRoleName } from '../../ui/role-name.ts';
import { usePhone } from '../../ui/use-phone.ts';
import { HoldersLink, RoleMenu } from './columns.tsx';
import { RoleDialogs } from './dialogs.ts';
import { FamilyList } from './FamilyList.tsx';
import { isAdmin, scopeOf } from './families.ts';
import { Holders, Review } from './matrix-dialogs.ts';
import { Matrix } from './Matrix.tsx';
import { MatrixFilters } from './MatrixFilters.tsx';
import type { RoleSearch } from './search.ts';
import { useRoleDraft, type RoleDraft } from './use-role-draft.ts';
import { useShownFamilies } from './use-shown-families.ts';

const AssignRole = lazyPart(() => import('./AssignRole.tsx'), 'AssignRole');
const RoleFactor = lazyPart(() => import('./RoleFactor.tsx'), 'RoleFactor', 'sign-in-rules');
const route = getRouteApi('/shell/roles/$id');

/** The permissions of one role, compared with others and edited in place. */
export function RolePage() {
  const { id } = route.useParams();
  return isId(id) ? <Loaded key={id} id={Number(id)} /> : <NotFoundPage />;
}

function Loaded({ id }: { id: number }) {
  const matrix = useQuery(load(roles.matrix, {}));
  const catalogue = useQuery(load(roles.permissions, { query: { per_page: 100 } }));
  const failed = [matrix, catalogue].find((one) => failedWithoutData<unknown>(one));
  if (failed) return <ErrorState page error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!matrix.data || !catalogue.data) return <RoleSkeleton />;
  const all = matrix.data.data.roles;
  const role = all.find((one) => one.id === id);
  return role ? <OneRole role={role} all={all} catalogue={catalogue.data.data} /> : <NotFoundPage />;
}

function RoleSkeleton() {
  const t = useTranslations('roles');
  return (
    <>
      <PageHeader title={t('one')} lead="" />
      <ListSkeleton />
    </>
  );
}

type Props = { role: Role; all: readonly Role[]; catalogue: readonly PermissionRow[] };

function OneRole({ role, all, catalogue }: Props) {
  const phone = usePhone();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const draft = useRoleDraft(role, catalogue);
  const [reviewing, setReviewing] = useState(false);
  const patch = (more: { [K in keyof RoleSearch]?: RoleSearch[K] | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...more }) as RoleSearch, replace: true });
  const families = useShownFamilies(catalogue, search.find);
  const editable = role.allowed_actions.includes('permissions');
  const shared = { role, families, draft, editable, onHolders: (who: number) => patch({ who }) };
  const toList = () => void navigate({ to: paths.roles, ignoreBlocker: true });
  return (
    <>
      <Header role={role} onDialog={(dialog) => patch({ do: dialog })} />
      {!editable && <WhyNot role={role} />}
      <MatrixFilters role={role} all={all} search={search} onChange={patch} />
      {phone ? (
        <FamilyList {...shared} />
      ) : (
        <Matrix {...shared} others={search.alone ? [] : all.filter(({ id }) => id !== role.id)} />
      )}
      {draft.isDirty && <ChangesBar draft={draft} onReview={() => setReviewing(true)} />}
      <LeaveGuard when={draft.isDirty} within={({ pathname }) => pathname === `/roles/${role.id}`} />
      <Suspense>
        <Review {...{ role, catalogue, draft }} opened={reviewing} onClose={() => setReviewing(false)} />
        <Holders
          permission={catalogue.find(({ id }) => id === search.who)}
          roles={all}
          onClose={() => patch({ who: undefined })}
        />
        <RoleDialogs dialog={search.do} role={role} onDeleted={toList} onClose={() => patch({ do: undefined })} />
      </Suspense>
    </>
  );
}

function ChangesBar({ draft, onReview }: { draft: RoleDraft; onReview: () => void }) {
  const t = useTranslations('roles');
  return (
    <FootBar
      label={t('unsaved')}
      actions={
        <>
          <Button variant="default" onClick={draft.discard}>
            {t('discard')}
          </Button>
          <Button onClick={onReview}>{t('review')}</Button>
        </>
      }
    >
      <output>{t('changes', { given: draft.gives.length, taken: draft.takes.length })}</output>
    </FootBar>
  );
}

type HeaderProps = { role: Role; onDialog: (dialog: RoleSearch['do']) => void };

function Header({ role, onDialog }: HeaderProps) {
  const t = useTranslations('roles');
  const { can } = useSession();
  const phone = usePhone();
  const roleName = useRoleName();
  const lead = (
    <span className={record['lead']}>
      <span>{t(role.is_system ? 'builtIn' : 'own')}</span>
      <span>{t(`reach.${scopeOf(role)}`)}</span>
      <HoldersLink role={role} />
      {can('audit.view') && (
        <Link to={paths.auditLog} search={{ subject_type: 'role', subject_id: role.id }}>
          {t('history')}
        </Link>
      )}
    </span>
  );
  return (
    <PageHeader title={roleName(role.name)} lead={lead}>
      {can('rbac.manage') && !phone && (
        <Button
          variant="default"
          leftSection={<IconCopy size={16} aria-hidden />}
          onClick={() => onDialog('duplicate')}
        >
          {t('do.duplicate')}
        </Button>
      )}
      {can('employees.assign_roles') && can('employees.view') && !isAdmin(role) && (
        <Suspense>
          <AssignRole role={role} />
        </Suspense>
      )}
      <ActionWithMenu>
        {can('identity.manage') && (
          <Suspense>
            <RoleFactor id={role.id} />
          </Suspense>
        )}
        <RoleMenu role={role} onDialog={onDialog} size={36} />
      </ActionWithMenu>
    </PageHeader>
  );
}

function WhyNot({ role }: { role: Role }) {
  const t = useTranslations('roles');
  return (
    <div className={record['standing']}>
      <Notice>{t(isAdmin(role) ? 'adminFixed' : 'readOnly')}</Notice>
    </div>
  );
}
