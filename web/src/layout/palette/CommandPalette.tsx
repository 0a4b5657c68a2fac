/* oxlint-disable jsx-a11y/prefer-tag-over-role -- no HTML element is a list of options with groups and pictures */
import { Box, Flex, Kbd, Modal, Stack } from '@mantine/core';
import { IconArrowRight, IconClock, IconListCheck, IconRefresh, IconSearch, IconSitemap } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { PersonAvatar } from '../../ui/PersonAvatar.tsx';
import { useEscape } from '../../ui/use-escape.ts';
import classes from './CommandPalette.module.css';
import type { Target } from './entries.ts';
import { remember } from './recent.ts';
import { useTargets } from './use-targets.ts';

type Props = {
  opened: boolean;
  /** Closed without a choice. */
  onClose: () => void;
  /** Closed with a choice; the opened page takes the focus. */
  onLeave: () => void;
};

/** Search and navigation: a combobox whose focus stays in the input while the arrow keys choose. */
export function CommandPalette({ opened, onClose, onLeave }: Props) {
  const t = useTranslations('palette');
  useEscape(opened, onClose);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      returnFocus={false}
      withCloseButton={false}
      padding={0}
      size={600}
      yOffset="10vh"
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': t('title') } }}
    >
      <Body onLeave={onLeave} />
    </Modal>
  );
}

function Body({ onLeave }: Pick<Props, 'onLeave'>) {
  const t = useTranslations('palette');
  const { id, typed, setTyped, active, open, onKeyDown, found } = useCombobox(onLeave);
  const { targets, isSearching, isError } = found;
  const status = isError ? t('failed') : isSearching ? t('searching') : t('results', { count: targets.length });
  return (
    <>
      <Flex className={classes['field']} align="center" gap={12} px={16} c="var(--ink-2)">
        <IconSearch size={18} stroke={1.6} aria-hidden />
        <input
          data-autofocus
          role="combobox"
          aria-expanded
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={targets[active] && `${id}-${active}`}
          aria-label={t('placeholder')}
          placeholder={t('placeholder')}
          maxLength={100}
          value={typed}
          onKeyDown={onKeyDown}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Kbd aria-hidden>{escape}</Kbd>
      </Flex>
      <Options list={id} targets={targets} active={active} open={open} />
      {targets.length > 0 ? (
        <output className="visually-hidden">{status}</output>
      ) : (
        <Box component="output" display="block" px={16} py={22} c="var(--ink-2)" fz="md" ta="center">
          {isSearching || isError ? status : t('nothing')}
        </Box>
      )}
    </>
  );
}

/** The input, its results and the active option. */
function useCombobox(onLeave: () => void) {
  const router = useRouter();
  const { user } = useSession();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const found = useTargets(typed);
  const { targets } = found;
  const active = Math.min(chosen, targets.length - 1);
  const open = (target: Target | undefined) => {
    if (!target) return;
    onLeave();
    if (target.run) return target.run();
    if (user) remember(user.id, target);
    router.history.push(target.url);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = targets.length - 1;
    const to = { ArrowDown: active >= last ? 0 : active + 1, ArrowUp: active <= 0 ? last : active - 1 }[event.key];
    if (to !== undefined) setChosen(to);
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) open(targets[active]);
    else return;
    event.preventDefault();
  };
  const type = (text: string) => {
    setTyped(text);
    setChosen(0);
  };
  return { id, typed, setTyped: type, found, active, open, onKeyDown };
}

type OptionsProps = { list: string; targets: Target[]; active: number; open: (target: Target) => void };

function Options({ list, targets, active, open }: OptionsProps) {
  const t = useTranslations('palette');
  const kinds = [...new Set(targets.map(({ kind }) => kind))];
  useEffect(() => {
    // Not returned: some browsers return a promise, which React would take as a clean-up.
    document.getElementById(`${list}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [list, active]);
  return (
    <div id={list} role="listbox" aria-label={t('title')} className={classes['list']}>
      {kinds.map((kind) => (
        <div key={kind} role="group" aria-labelledby={`${list}-${kind}`}>
          <Box id={`${list}-${kind}`} px={10} pt={12} pb={4} c="var(--ink-2)" fz="xs" fw={550}>
            {t(`kind.${kind}`)}
          </Box>
          {targets.map((target, index) =>
            target.kind === kind ? (
              // The keyboard uses the arrow keys of the input; clicks are for the pointer.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
              <div
                key={target.url}
                id={`${list}-${index}`}
                role="option"
                aria-selected={index === active}
                tabIndex={-1}
                className={classes['option']}
                onClick={() => open(target)}
              >
                <Picture target={target} />
                <Stack gap={0} miw={0} lh={1.35}>
                  <bdi>{target.label}</bdi>
                  {target.sublabel && <span className="muted small truncate">{target.sublabel}</span>}
                </Stack>
              </div>
            ) : null,
          )}
        </div>
      ))}
    </div>
  );
}

const escape = 'Esc';
const icons = {
  recent: IconClock,
  departments: IconSitemap,
  cycles: IconRefresh,
  templates: IconListCheck,
  pages: IconArrowRight,
  actions: IconArrowRight,
};

function Picture({ target: { kind, person, icon, label } }: { target: Target }) {
  if (person !== undefined) return <PersonAvatar id={person} name={label} size={28} />;
  const Icon = icon ?? (kind === 'people' || kind === 'colleagues' ? IconArrowRight : icons[kind]);
  return (
    <Flex justify="center" w={28} c="var(--ink-2)">
      <Icon size={17} stroke={1.7} aria-hidden />
    </Flex>
  );
}
