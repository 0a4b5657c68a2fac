import { Button, Code, Paper, Stack, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { address } from '../../api/call.ts';
import classes from './imports.module.css';
import { useImportKind } from './kinds.ts';

/** How an archive assigns its files to people, with a sample. */
export function ArchiveGuide() {
  const t = useTranslations('imports');
  const own = useTranslations('imports.attachments');
  const { api } = useImportKind();
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
      <Stack gap={10} align="start">
        <Title order={2} size="h3" id="file-guide">
          {t('guide')}
        </Title>
        <p className="muted">{own('guideText')}</p>
        <Code block dir="ltr" w="100%" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {own('guideExample')}
        </Code>
        <Button
          component="a"
          variant="default"
          size="xs"
          leftSection={<IconDownload size={15} aria-hidden />}
          href={address(api.sample, {})}
          download
        >
          {own('sample')}
        </Button>
        <p className="muted">{own('guideTypes')}</p>
        <p className="muted">{own('guideSame')}</p>
      </Stack>
    </Paper>
  );
}
