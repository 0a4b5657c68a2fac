import { Box, Stack, Textarea, TextInput } from '@mantine/core';
import type { Brand, CompanyBrandSettings } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import type { RecordForm } from '../../ui/use-record-form.ts';
import { letterFields, ownAccent, shownAccent, shownFields, type BrandField } from './fields.ts';
import classes from './brand.module.css';

type FormProps = { form: RecordForm['form']; mayChange: boolean };
type FieldsProps = Pick<FormProps, 'mayChange'> & {
  record: RecordForm;
  fallback: Brand;
  company: CompanyBrandSettings['company'] | undefined;
};

function useField({ form, mayChange }: FormProps) {
  const t = useTranslations('brand');
  return (name: BrandField) => ({ ...form.getInputProps(name), label: t(`field.${name}`), readOnly: !mayChange });
}

/** The fields of a brand, and of the letterhead of a company. */
export function Fields({ record: { form, error }, fallback, company, mayChange }: FieldsProps) {
  const t = useTranslations('brand');
  const of = useField({ form, mayChange });
  return (
    <Stack gap={16}>
      <ErrorNotice error={error} fields={[...shownFields, ...letterFields]} />
      <TextInput
        key={form.key('name')}
        {...of('name')}
        maxLength={60}
        placeholder={fallback.name ?? 'Tenure'}
        description={t(company ? 'hint.companyName' : 'hint.name')}
      />
      <TextInput
        key={form.key('accent')}
        {...of('accent')}
        maxLength={7}
        placeholder={fallback.accent ?? ownAccent}
        description={t('hint.accent')}
        leftSectionPointerEvents="all"
        leftSection={
          <input
            type="color"
            className={classes['swatch']}
            aria-label={t('pick')}
            disabled={!mayChange}
            value={shownAccent(form.values['accent'] ?? '', fallback.accent)}
            onChange={(event) => form.setFieldValue('accent', event.currentTarget.value)}
          />
        }
      />
      {company && <LetterFields form={form} mayChange={mayChange} address={company.address} />}
    </Stack>
  );
}

function LetterFields({ form, mayChange, address }: FormProps & { address: string | null }) {
  const t = useTranslations('brand');
  const of = useField({ form, mayChange });
  const lines = { rows: 3, maxLength: 500 };
  return (
    <>
      <Box mt={8}>
        <SectionTitle>{t('letterhead')}</SectionTitle>
        <p className="muted">{t('letterheadLead')}</p>
      </Box>
      <Textarea key={form.key('letter_address')} {...of('letter_address')} {...lines} placeholder={address ?? ''} />
      <TextInput
        key={form.key('letter_registration')}
        {...of('letter_registration')}
        maxLength={255}
        description={t('hint.letter_registration')}
      />
      <Textarea key={form.key('letter_footer')} {...of('letter_footer')} {...lines} />
    </>
  );
}
