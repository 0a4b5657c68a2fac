import { Button, MultiSelect, NativeSelect, Stack, TextInput } from '@mantine/core';
import { signInPolicies, type SignInPolicy } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../../api/query.ts';
import { NotFoundPage } from '../../../layout/ErrorPages.tsx';
import { paths } from '../../../paths.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { LoadingLines } from '../../../ui/LoadingLines.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { ScrollPane } from '../../../ui/ScrollPane.tsx';
import { DemandChoice } from '../../../ui/second-factor/DemandChoice.tsx';
import { bodyOf, draftOf, isSame, type RuleDraft } from './draft.ts';
import { Review } from './Review.tsx';
import { useProviders } from './use-providers.ts';

const route = getRouteApi('/shell/settings/sign-in');

/** The rule of a company, or `default`. */
export function Rule({ target }: { target: string }) {
  const query = useQuery(load(signInPolicies.list, {}));
  if (query.isPending) return <LoadingLines lines={7} />;
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const { policies } = query.data.data;
  const policy = policies.find(({ entity }) => String(entity?.id ?? 'default') === target);
  const standard = policies.find(({ entity }) => entity === null);
  if (!policy || !standard) return <NotFoundPage />;
  return <OneRule target={target} current={policy} standard={standard} />;
}

type Props = { target: string; current: SignInPolicy; standard: SignInPolicy };

function OneRule({ target, current, standard }: Props) {
  const t = useTranslations('signInRules');
  // the input belongs to the rule as it was first loaded: the service refuses to overwrite a newer one
  const [policy] = useState(current);
  const isDefault = policy.entity === null;
  const start = draftOf(policy, isDefault);
  const [draft, setDraft] = useState(start);
  const [reviewing, setReviewing] = useState(false);
  const navigate = route.useNavigate();
  const isDirty = !isSame(draft, start);
  const body = bodyOf(draft.follows ? draftOf(standard, true) : draft);
  return (
    <>
      <PageHeader
        title={policy.entity ? t('ruleOf', { name: policy.entity.name }) : t('defaultTitle')}
        lead={<Lead policy={policy} />}
      >
        <Button
          variant="subtle"
          renderRoot={(props) => <Link {...props} to={paths.signInSettings} search={{ part: 'rules' }} />}
        >
          {t('all')}
        </Button>
      </PageHeader>
      <ScrollPane>
        <RuleForm
          draft={draft}
          policy={policy}
          isDirty={isDirty}
          onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
          onReview={() => setReviewing(true)}
        />
      </ScrollPane>
      {reviewing && (
        <Review
          target={target}
          policy={policy}
          body={body}
          follows={draft.follows}
          onClose={() => setReviewing(false)}
          onSaved={() => void navigate({ search: { part: 'rules' }, ignoreBlocker: true })}
        />
      )}
      <LeaveGuard when={isDirty} />
    </>
  );
}

type FormProps = {
  draft: RuleDraft;
  policy: SignInPolicy;
  isDirty: boolean;
  onChange: (part: Partial<RuleDraft>) => void;
  onReview: () => void;
};

function RuleForm({ draft, policy, isDirty, onChange, onReview }: FormProps) {
  const t = useTranslations('signInRules');
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onReview();
      }}
    >
      <Stack gap={18} px="gutter" pb={32} maw="44rem">
        {policy.entity !== null && (
          <Choice
            label={t('which')}
            value={draft.follows}
            words={[t('ownRule'), t('followDefault')]}
            help={draft.follows ? t('followDefaultText') : undefined}
            onChange={(follows) => onChange({ follows })}
          />
        )}
        {!draft.follows && <Fields draft={draft} stored={policy.second_factor_from} onChange={onChange} />}
        <div>
          <Button type="submit" disabled={!isDirty || draft.day === ''}>
            {t('review')}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

function Lead({ policy: { entity, people_count: count } }: { policy: SignInPolicy }) {
  const t = useTranslations('signInRules');
  return (
    <>
      {entity === null && `${t('defaultLead')} `}
      {t('ruleLead', { count })}
    </>
  );
}

type ChoiceProps = {
  label: string;
  value: boolean;
  /** The labels for false and for true. */
  words: readonly [string, string];
  help?: ReactNode;
  onChange: (value: boolean) => void;
};

/** A select between false and true, each with a label. */
const Choice = ({ label, value, words, help, onChange }: ChoiceProps) => (
  <NativeSelect
    label={label}
    {...(help !== undefined && { description: help })}
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    value={String(value)}
    data={words.map((word, index) => ({ value: String(index === 1), label: word }))}
    onChange={(event) => onChange(event.currentTarget.value === 'true')}
  />
);

type FieldsProps = { draft: RuleDraft; stored: string | null; onChange: (part: Partial<RuleDraft>) => void };

function Fields({ draft, stored, onChange }: FieldsProps) {
  const t = useTranslations('signInRules');
  const { providers } = useProviders();
  return (
    <>
      <Choice
        label={t('signIn')}
        value={draft.required}
        words={[t('anyWay'), t('onlyProviders')]}
        help={t(draft.required ? 'onlyProvidersText' : 'anyWayText')}
        onChange={(required) => onChange({ required })}
      />
      {draft.required && (
        <MultiSelect
          label={t('providers')}
          data={providers.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={draft.providers}
          placeholder={draft.providers.length > 0 ? '' : t(providers.length > 0 ? 'chooseProviders' : 'noProviders')}
          onChange={(chosen) => onChange({ providers: chosen })}
          required
          searchable
          clearable
        />
      )}
      <DemandChoice stored={stored} value={draft.day} onChange={(day) => onChange({ day })} />
      <TextInput
        label={t('hoursField')}
        description={t('hoursHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        inputMode="decimal"
        autoComplete="off"
        value={draft.hours}
        onChange={(event) => onChange({ hours: event.currentTarget.value })}
      />
    </>
  );
}
