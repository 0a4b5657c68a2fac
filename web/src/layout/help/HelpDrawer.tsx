import { Button, Skeleton, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLocaleChoice } from '../../locales/locale.tsx';
import { BulletList } from '../../ui/BulletList.tsx';
import { SheetDrawer } from '../../ui/SheetDrawer.tsx';
import { ShortcutHelp } from '../palette/ShortcutHelp.tsx';
import type { HelpBlock, HelpPage, HelpText } from './blocks.ts';
import { topicOf, type Topic } from './topics.ts';

const pages = import.meta.glob<HelpPage>('../../../../docs/help/*/*.md', { import: 'default' });

/** Reads a help page, in English if it lacks a translation. */
async function readPage(locale: string, topic: Topic): Promise<HelpPage> {
  const at = (language: string) => pages[`../../../../docs/help/${language}/${topic}.md`];
  const read = at(locale) ?? at('en');
  if (!read) throw new Error(`There is no help about ${topic}.`);
  return read();
}

type Props = { opened: boolean; onClose: () => void };

/** The help for the current page, and a link to the keyboard shortcuts. */
export function HelpDrawer({ opened, onClose }: Props) {
  const t = useTranslations('help');
  const { locale } = useLocaleChoice();
  const pattern = useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath });
  const topic = topicOf(pattern);
  const query = useQuery({
    queryKey: ['help', locale, topic],
    queryFn: () => readPage(locale, topic),
    staleTime: Infinity,
  });
  const [shortcuts, setShortcuts] = useState(false);
  return (
    <>
      <SheetDrawer
        title={query.data?.title ?? t('title')}
        opened={opened}
        onClose={onClose}
        position="right"
        size="26rem"
      >
        {query.isPending && <Skeleton h={180} />}
        {query.isError && <p role="alert">{t('failed')}</p>}
        {query.data?.blocks.map((block, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the blocks of a page never change
          <Block key={index} block={block} />
        ))}
        <Button variant="default" mt={8} onClick={() => setShortcuts(true)}>
          {t('shortcuts')}
        </Button>
      </SheetDrawer>
      {shortcuts && <ShortcutHelp opened onClose={() => setShortcuts(false)} />}
    </>
  );
}

function Block({ block }: { block: HelpBlock }) {
  if (block.kind === 'list')
    return (
      <BulletList>
        {block.items.map((item, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the items of a list never change
          <li key={index}>
            <Text text={item} />
          </li>
        ))}
      </BulletList>
    );
  if (block.kind === 'heading')
    return (
      <Title order={3} mt={6}>
        <Text text={block.text} />
      </Title>
    );
  return (
    <Stack component="p" gap={0}>
      <span>
        <Text text={block.text} />
      </span>
    </Stack>
  );
}

const Text = ({ text }: { text: HelpText }) =>
  text.map((part) => (typeof part === 'string' ? part : <strong key={part.bold}>{part.bold}</strong>));
