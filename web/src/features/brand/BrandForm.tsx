import { Box, Button, ColorInput, Group, Stack, Textarea, TextInput } from '@mantine/core';
import type { Brand, BrandSettings, CompanyBrandSettings } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { ConflictView } from '../../ui/ConflictView.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import { useRecordForm, type RecordForm } from '../../ui/use-record-form.ts';
import { useToast } from '../../ui/toasts.tsx';
import { bodyOf, letterFields, ownAccent, shownAccent, shownFields, textsOf, type BrandField } from './fields.ts';
import { Letterhead } from './Letterhead.tsx';
import { LogoField } from './LogoField.tsx';
import { Preview, type Shown } from './Preview.tsx';
import classes from './Preview.module.css';
import { ResetDialog } from './ResetDialog.tsx';

type Settings = BrandSettings | CompanyBrandSettings;

type Props = {
  /** Identifies the draft of the form. */
  draft: string;
  settings: Settings;
  /** What applies where nothing is set. */
  fallback: Brand;
  mayChange: boolean;
  onSave: (body: ReturnType<typeof bodyOf>, revision: number | undefined) => Promise<Settings>;
  onLogo: (file: File) => Promise<unknown>;
  onRemoveLogo: () => Promise<unknown>;
  onReset: () => Promise<unknown>;
  reread: () => Promise<Settings>;
  /** Of the logo and the reset. */
  error: ApiError | null;
  isPending: boolean;
};

const versionOf = (settings: Settings) => ({ texts: textsOf(settings), revision: settings.revision });

/** The form of a brand beside its preview. Over 40 lines: one form. */
export function BrandForm({ draft, settings, fallback, mayChange, onSave, reread, ...logo }: Props) {
  const t = useTranslations('brand');
  const toast = useToast();
  const [file, setFile] = useState<File>();
  const [resets, setResets] = useState(false);
  const record = useRecordForm<Settings>({
    draft,
    start: versionOf(settings),
    send: (changed, revision) => onSave(bodyOf(changed), revision),
    reread: async () => versionOf(await reread()),
    onSaved: () => toast({ text: t('saved') }),
    goOn: versionOf,
  });
  const company = 'company' in settings ? settings.company : undefined;
  const values = record.form.values;
  const shown: Shown = {
    name: values['name']?.trim() || company?.name || fallback.name || 'Tenure',
    accent: shownAccent(values['accent'] ?? '', fallback.accent),
    logo: settings.logo ?? fallback.logo,
    file,
  };
  const letter = {
    letter_address: values['letter_address'] || company?.address || null,
    letter_registration: values['letter_registration'] || null,
    letter_footer: values['letter_footer'] || null,
  };
  return (
    <div className={classes['layout']}>
      <Stack gap={22}>
        <LogoField
          logo={settings.logo}
          file={file}
          onFile={setFile}
          mayChange={mayChange}
          isPending={logo.isPending}
          error={logo.error}
          onSet={logo.onLogo}
          onRemove={logo.onRemoveLogo}
        />
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            record.save();
          }}
        >
          <Fields record={record} fallback={fallback} company={company} mayChange={mayChange} />
          {mayChange && (
            <Group mt={20} gap={8}>
              <Button type="submit" loading={record.isPending} disabled={!record.isDirty}>
                {t('save')}
              </Button>
              <Button variant="default" onClick={() => setResets(true)}>
                {t('reset.open')}
              </Button>
            </Group>
          )}
        </form>
      </Stack>
      <Stack gap={26}>
        <Preview shown={shown} />
        {company && <Letterhead shown={shown} texts={letter} />}
      </Stack>
      <ResetDialog
        opened={resets}
        company={company?.name}
        isPending={logo.isPending}
        error={logo.error}
        onReset={logo.onReset}
        onClose={() => setResets(false)}
      />
      <ConflictView
        differences={record.differences}
        label={(name) => t(`field.${name as BrandField}`)}
        show={(_name, value) => value}
        onResolve={record.resolve}
        onCancel={record.backToForm}
        saving={record.isPending}
      />
      <LeaveGuard when={record.isDirty && !record.isPending} />
    </div>
  );
}

type FieldsProps = {
  record: RecordForm;
  fallback: Brand;
  company: CompanyBrandSettings['company'] | undefined;
  mayChange: boolean;
};

function Fields({ record: { form, error }, fallback, company, mayChange }: FieldsProps) {
  const t = useTranslations('brand');
  const of = (name: BrandField) => ({
    ...form.getInputProps(name),
    key: form.key(name),
    label: t(`field.${name}`),
    readOnly: !mayChange,
  });
  const { key: nameKey, ...name } = of('name');
  const { key: accentKey, ...accent } = of('accent');
  return (
    <Stack gap={16}>
      <ErrorNotice error={error} fields={[...shownFields, ...letterFields]} />
      <TextInput
        key={nameKey}
        {...name}
        maxLength={60}
        placeholder={fallback.name ?? 'Tenure'}
        description={t(company ? 'hint.companyName' : 'hint.name')}
      />
      <ColorInput
        key={accentKey}
        {...accent}
        placeholder={fallback.accent ?? ownAccent}
        description={t('hint.accent')}
        format="hex"
        swatches={['#0c6b63', '#1d4ed8', '#6d28d9', '#be185d', '#b91c1c', '#c2410c', '#4d7c0f', '#334155']}
        popoverProps={{ withinPortal: false }}
      />
      {company && (
        <>
          <Box mt={8}>
            <SectionTitle>{t('letterhead')}</SectionTitle>
            <p className="muted">{t('letterheadLead')}</p>
          </Box>
          {letterFields.map((field) => {
            const { key, ...props } = of(field);
            return field === 'letter_registration' ? (
              <TextInput key={key} {...props} maxLength={255} description={t('hint.letter_registration')} />
            ) : (
              <Textarea
                key={key}
                {...props}
                autosize
                minRows={2}
                maxRows={6}
                maxLength={500}
                {...(field === 'letter_address' && { placeholder: company.address ?? '' })}
              />
            );
          })}
        </>
      )}
    </Stack>
  );
}
