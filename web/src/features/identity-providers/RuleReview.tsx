import { TextInput } from '@mantine/core';
import type { RoleRulesImpact } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { Dialog, DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useRoleName } from '../../ui/role-name.ts';
import { useToast } from '../../ui/toasts.tsx';
import type { Rules, RuleSource } from './role-rules.ts';

type Props = {
  source: RuleSource;
  revision: number;
  rules: Rules;
  impact: RoleRulesImpact | undefined;
  opened: boolean;
  onClose: () => void;
};

/** Who would gain and lose which role by the changed rules, before they are saved. */
export function RuleReview({ opened, onClose, impact, ...props }: Props) {
  const t = useTranslations('roleRules');
  return (
    <Dialog title={t('reviewTitle', { name: props.source.name })} opened={opened} onClose={onClose} size="lg">
      {opened && impact && <Content {...props} impact={impact} onClose={onClose} />}
    </Dialog>
  );
}

type ContentProps = Omit<Props, 'opened' | 'impact'> & { impact: RoleRulesImpact };

function Content({ source: { id, endpoints }, revision, rules, impact, onClose }: ContentProps) {
  const t = useTranslations('roleRules');
  const toast = useToast();
  const send = useSend(endpoints.set);
  const [typed, setTyped] = useState('');
  const { confirm } = impact;
  const save = async () => {
    try {
      await send.mutateAsync({
        params: { id },
        body: { rules, revision, ...(confirm !== null && { confirm: typed.trim() }) },
      });
    } catch {
      // shown in the dialog
      return;
    }
    // the saved rules get a new form, so this one is already unmounted
    onClose();
    toast({ text: t('saved') });
  };
  return (
    <DialogForm onSubmit={() => void save()}>
      <ErrorNotice error={send.error} fields={['confirm']} />
      <Side title={t('gains')} moved={impact.gains} word="gain" />
      <Side title={t('losses')} moved={impact.losses} word="lose" />
      <p className="muted">{impact.people === 0 ? t('nothing') : t('people', { count: impact.people })}</p>
      {confirm !== null && (
        <TextInput
          label={t('confirm', { name: confirm })}
          description={t('confirmHelp')}
          value={typed}
          autoComplete="off"
          error={send.error?.fieldErrors['confirm']}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      <FormActions
        cancel={t('back')}
        onCancel={onClose}
        submit={t('save')}
        loading={send.isPending}
        disabled={confirm !== null && typed.trim() !== confirm}
      />
    </DialogForm>
  );
}

type SideProps = { title: string; moved: RoleRulesImpact['gains']; word: 'gain' | 'lose' };

function Side({ title, moved, word }: SideProps) {
  const t = useTranslations('roleRules');
  const roleName = useRoleName();
  const items = moved.map(({ role, people }) => ({ label: roleName(role.name), value: t(word, { count: people }) }));
  return <DescriptionList title={title} items={items} />;
}
