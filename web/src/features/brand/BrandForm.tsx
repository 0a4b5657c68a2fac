import { Button, Group, Stack } from '@mantine/core';
import type { Brand, BrandSettings, CompanyBrandSettings } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { RecordConflict } from '../../ui/RecordConflict.tsx';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { useRecordForm, type RecordForm } from '../../ui/use-record-form.ts';
import { useToast } from '../../ui/toasts.tsx';
import { bodyOf, shownAccent, textsOf, type BrandField } from './fields.ts';
import { Fields } from './Fields.tsx';
import { Letterhead } from './Letterhead.tsx';
import { LogoField } from './LogoField.tsx';
import { Preview, type Shown } from './Preview.tsx';
import classes from './brand.module.css';
import { Reset } from './Reset.tsx';

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
  /** The error of the logo or of the reset. */
  error: ApiError | null;
  isPending: boolean;
};

const versionOf = (settings: Settings) => ({ texts: textsOf(settings), revision: settings.revision });

function useBrandForm({ draft, settings, fallback, onSave, reread }: Props, file: File | undefined) {
  const t = useTranslations('brand');
  const toast = useToast();
  const record = useRecordForm<Settings>({
    draft,
    start: versionOf(settings),
    send: (changed, revision) => onSave(bodyOf(changed), revision),
    reread: async () => versionOf(await reread()),
    onSaved: () => toast({ text: t('saved') }),
    goOn: versionOf,
  });
  const company = 'company' in settings ? settings.company : undefined;
  const { values } = record.form;
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
  return { record, company, shown, letter };
}

/** The form of a brand beside its preview. */
export function BrandForm(props: Props) {
  const { settings, fallback, mayChange, isPending, error } = props;
  const t = useTranslations('brand');
  const [file, setFile] = useState<File>();
  const { record, company, shown, letter } = useBrandForm(props, file);
  const asked = { isPending, error };
  return (
    <div className={classes['layout']}>
      <Stack gap={22}>
        <LogoField
          {...asked}
          logo={settings.logo}
          file={file}
          onFile={setFile}
          mayChange={mayChange}
          onSet={props.onLogo}
          onRemove={props.onRemoveLogo}
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
              <Reset {...asked} company={company?.name} onReset={props.onReset} />
            </Group>
          )}
        </form>
      </Stack>
      <Stack gap={26}>
        <Preview shown={shown} />
        {company && <Letterhead shown={shown} texts={letter} />}
      </Stack>
      <Guards record={record} />
    </div>
  );
}

/** Asks about concurrent changes and unsaved input. */
function Guards({ record }: { record: RecordForm }) {
  const t = useTranslations('brand');
  return (
    <>
      <RecordConflict
        record={record}
        label={(name) => t(`field.${name as BrandField}`)}
        show={(_name, value) => value}
      />
      <LeaveGuard when={record.isDirty && !record.isPending} />
    </>
  );
}
