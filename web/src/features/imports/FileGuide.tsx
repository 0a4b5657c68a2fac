import { Button, Group, Paper, Stack, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { address } from '../../api/call.ts';
import { useImportKind } from './kinds.ts';
import classes from './imports.module.css';
import { FieldChips } from './FieldChips.tsx';

const formats = ['csv', 'xlsx'] as const;

/** The required columns of a file, with sample files. */
export function FileGuide() {
  const t = useTranslations('imports');
  const { fields, required, type } = useImportKind();
  const own = useTranslations(`imports.${type}`);
  const optional = fields.filter((field) => !required.includes(field) && !field.endsWith('_id'));
  return (
    <Paper
      component="aside"
      className={classes['guide']}
      px={20}
      py={18}
      bd="1px solid var(--line)"
      bg="var(--sunken)"
      radius="lg"
      fz="sm"
      aria-labelledby="file-guide"
    >
      <Stack gap={10}>
        <Title order={2} size="h3" id="file-guide">
          {t('guide')}
        </Title>
        <p className="muted">{own('guideText')}</p>
        <Samples />
        <GuideTitle>{t('requiredColumns')}</GuideTitle>
        <FieldChips fields={required.map((field) => ({ field, state: 'required' }))} />
        <GuideTitle>{t('optionalColumns')}</GuideTitle>
        <FieldChips fields={optional.map((field) => ({ field }))} />
      </Stack>
    </Paper>
  );
}

const GuideTitle = ({ children }: { children: string }) => (
  <Title order={3} className="muted" mt={8} fz={12.5} fw={560} lts={0}>
    {children}
  </Title>
);

/** Links to sample files. */
function Samples() {
  const t = useTranslations('imports');
  const { api } = useImportKind();
  return (
    <Group gap={8}>
      {formats.map((format) => (
        <Button
          key={format}
          component="a"
          variant="default"
          size="xs"
          leftSection={<IconDownload size={15} aria-hidden />}
          href={address(api.sample, { query: { format } })}
          download
        >
          {t(`sample.${format}`)}
        </Button>
      ))}
    </Group>
  );
}
