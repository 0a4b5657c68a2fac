import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { managedDepths, roles, roleScopes, type Permission, type Role, type RoleRow } from '@tenure/contract';
import { cut } from '@tenure/contract/cut';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { call } from '../../api/call.ts';
import { load, useSend } from '../../api/query.ts';
import { RecordConflict } from '../../ui/RecordConflict.tsx';
import { DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useRoleName } from '../../ui/role-name.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { isReserved } from './families.ts';

type Props = {
  /** The role to change; absent for a new one. */
  role?: RoleRow | undefined;
  /** The role that a new one copies. */
  like?: RoleRow | undefined;
  onDone: (role: Role) => void;
  onClose: () => void;
};

type Shown = Pick<RoleRow, 'name' | 'description' | 'scope' | 'managed_depth'>;

const textsOf = ({ name, description, scope, managed_depth }: Shown) => ({
  name,
  description: description ?? '',
  scope,
  managed_depth,
});

const fields = ['name', 'description', 'scope', 'managed_depth', 'like'];

/** The name and the scope of a role; its permissions are set in the table. */
export function RoleForm({ role, like, onDone, onClose }: Props) {
  const t = useTranslations('roles');
  const record = useRoleForm({ role, like, onDone });
  const { form, error } = record;
  return (
    <DialogForm onSubmit={record.save}>
      <ErrorNotice error={error} fields={fields} />
      <RoleFields form={form} fixed={role?.is_system ?? false} />
      {!role && <LikeField {...form.getInputProps('like')} />}
      <FormActions
        cancel={t('cancel')}
        onCancel={onClose}
        submit={t(role ? 'save' : 'add')}
        loading={record.isPending}
        disabled={role !== undefined && !record.isDirty}
      />
      <RecordConflict
        record={record}
        label={(name) => labelOf(t, name)}
        show={(name, value) =>
          name === 'scope'
            ? t(`scope.${value as 'own'}`)
            : name === 'managed_depth'
              ? t(`depth.${value as 'direct'}`)
              : value
        }
      />
    </DialogForm>
  );
}

const labelOf = (t: ReturnType<typeof useTranslations<'roles'>>, name: string) =>
  name === 'scope' ? t('scopeLabel') : name === 'managed_depth' ? t('depthLabel') : t(`field.${name as 'name'}`);

type FieldsProps = Pick<ReturnType<typeof useRoleForm>, 'form'> & { fixed: boolean };

/** The name and scope of a built-in role are fixed. */
function RoleFields({ form, fixed }: FieldsProps) {
  const t = useTranslations('roles');
  const roleName = useRoleName();
  const isManaged = form.values['scope'] === 'managed';
  const depth = form.values['managed_depth'] === 'tree' ? 'tree' : 'managed';
  return (
    <>
      <TextInput
        label={t('field.name')}
        {...(fixed && { description: t('fixedName') })}
        maxLength={60}
        required
        disabled={fixed}
        data-autofocus={fixed ? undefined : true}
        key={form.key('name')}
        {...form.getInputProps('name')}
        {...(fixed && { value: roleName(form.values['name'] ?? '') })}
      />
      <Textarea
        label={t('field.description')}
        maxLength={255}
        rows={2}
        data-autofocus={fixed || undefined}
        {...form.getInputProps('description')}
      />
      <NativeSelect
        label={t('scopeLabel')}
        description={t(`reach.${isManaged ? depth : ((form.values['scope'] ?? 'own') as 'own')}`)}
        disabled={fixed}
        data={roleScopes.map((value) => ({ value, label: t(`choice.${value}`) }))}
        {...form.getInputProps('scope')}
      />
      {isManaged && (
        <NativeSelect
          label={t('depthLabel')}
          data={managedDepths.map((value) => ({ value, label: t(`depth.${value}`) }))}
          {...form.getInputProps('managed_depth')}
        />
      )}
    </>
  );
}

function LikeField(props: object) {
  const t = useTranslations('roles');
  const roleName = useRoleName();
  const found = useQuery(load(roles.matrix, {}));
  const options = (found.data?.data.roles ?? []).map(({ id, name }) => ({ value: String(id), label: roleName(name) }));
  return (
    <NativeSelect
      label={t('like')}
      description={t('likeHint')}
      data={[{ value: '', label: t('likeNone') }, ...options]}
      {...props}
    />
  );
}

/** Only a role for managed people has a depth. */
function fitting<T extends { scope?: string; managed_depth?: string }>(stored: string, sent: T): T {
  const { managed_depth: _none, ...rest } = sent;
  return (sent.scope ?? stored) === 'managed' ? sent : (rest as T);
}

function useRoleForm({ role, like, onDone }: Omit<Props, 'onClose'>) {
  const t = useTranslations('roles');
  const create = useSend(roles.create);
  const update = useSend(roles.update);
  const roleName = useRoleName();
  const asNew = {
    name: like ? cut(t('copyOf', { name: roleName(like.name) }), 60) : '',
    description: like?.description ?? '',
    scope: like?.scope ?? ('own' as const),
    managed_depth: like?.managed_depth ?? ('direct' as const),
    like: like ? String(like.id) : '',
  };
  const read = async (id: number) => (await call(roles.get, { params: { id } })).data;
  /** The initial permissions of a new role: those of the copied role, except ones reserved for Admin. */
  const permissionsLike = async (id: string | undefined) =>
    id ? ((await read(Number(id))).permissions.filter((name) => !isReserved(name)) as Permission[]) : [];
  return useRecordForm<Role>({
    draft: `roles.${role?.id ?? `new.${like?.id ?? ''}`}.form`,
    start: role ? { texts: textsOf(role), revision: role.revision } : { texts: asNew },
    send: async (changed, revision) => {
      if (role) {
        const body = { ...fitting(role.scope, changed), ...(revision !== undefined && { revision }) };
        return (await update.mutateAsync({ params: { id: role.id }, body })).data;
      }
      const { like: from, ...rest } = { ...asNew, ...changed };
      const body = { ...fitting('own', rest), scope: rest.scope, permissions: await permissionsLike(from) };
      return (await create.mutateAsync({ body })).data;
    },
    ...(role && {
      reread: async () => {
        const now = await read(role.id);
        return { texts: textsOf(now), revision: now.revision };
      },
    }),
    onSaved: onDone,
  });
}
