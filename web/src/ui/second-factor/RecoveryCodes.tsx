import { Box, Button, Group } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { AutoGrid } from '../AutoGrid.tsx';
import { CopyButton } from '../CopyButton.tsx';
import { download } from '../download.ts';

/** New recovery codes, shown only once, to copy or save as a file. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const t = useTranslations('twoStep');
  const text = `${codes.join('\n')}\n`;
  return (
    <>
      <p>{t('keep')}</p>
      <p className="muted">{t('codesLead')}</p>
      <AutoGrid
        component="ul"
        min="11rem"
        gap={6}
        p={16}
        bd="1px solid var(--line)"
        bdrs={10}
        bg="var(--sunken)"
        aria-label={t('codes')}
      >
        {codes.map((code) => (
          <li key={code}>
            <Box component="code" ff="monospace" fz="md" style={{ whiteSpace: 'nowrap' }}>
              {code}
            </Box>
          </li>
        ))}
      </AutoGrid>
      <Group gap={8}>
        <CopyButton text={text} size="md" />
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => download(new Blob([text], { type: 'text/plain' }), t('file'))}
        >
          {t('download')}
        </Button>
      </Group>
    </>
  );
}
