/* oxlint-disable jsx-a11y/prefer-tag-over-role -- no tag is a list of options with groups and pictures */
import { Kbd, Modal } from '@mantine/core';
import { IconArrowRight, IconClock, IconListCheck, IconRefresh, IconSearch, IconSitemap } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { PersonAvatar } from '../../ui/PersonAvatar.tsx';
import classes from './CommandPalette.module.css';
import type { Target } from './entries.ts';
import { remember } from './recent.ts';
import { useTargets } from './use-targets.ts';

type Props = {
  opened: boolean;
  /** Closed without a choice. */
  onClose: () => void;
  /** Something was chosen: the page it leads to takes the focus. */
  onLeave: () => void;
};

/** Search and jump: a combobox whose focus stays in the field while the arrows choose. */
export function CommandPalette({ opened, onClose, onLeave }: Props) {
  const t = useTranslations('palette');
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
  const router = useRouter();
  const { user } = useSession();
  const list = useId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const { targets, isSearching, isError } = useTargets(typed);
  const active = Math.min(chosen, targets.length - 1);

  const open = (target: Target | undefined) => {
    if (!target) return;
    onLeave();
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
  const status = isError ? t('failed') : isSearching ? t('searching') : t('results', { count: targets.length });
  return (
    <>
      <div className={classes['field']}>
        <IconSearch size={18} stroke={1.6} aria-hidden />
        <input
          data-autofocus
          role="combobox"
          aria-expanded
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={targets[active] && `${list}-${active}`}
          aria-label={t('placeholder')}
          placeholder={t('placeholder')}
          maxLength={100}
          value={typed}
          onKeyDown={onKeyDown}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
            setChosen(0);
          }}
        />
        <Kbd aria-hidden>{escape}</Kbd>
      </div>
      <Options {...{ list, targets, active, open }} />
      <output className={targets.length > 0 ? 'visually-hidden' : classes['status']}>
        {targets.length > 0 || isSearching || isError ? status : t('nothing')}
      </output>
    </>
  );
}

type OptionsProps = { list: string; targets: Target[]; active: number; open: (target: Target) => void };

function Options({ list, targets, active, open }: OptionsProps) {
  const t = useTranslations('palette');
  const kinds = [...new Set(targets.map(({ kind }) => kind))];
  useEffect(() => {
    // Not returned: some browsers give a promise, which is no clean-up.
    document.getElementById(`${list}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [list, active]);
  return (
    <div id={list} role="listbox" aria-label={t('title')} className={classes['list']}>
      {kinds.map((kind) => (
        <div key={kind} role="group" aria-labelledby={`${list}-${kind}`}>
          <div id={`${list}-${kind}`} className={classes['kind']}>
            {t(`kind.${kind}`)}
          </div>
          {targets.map((target, index) =>
            target.kind === kind ? (
              // The keyboard chooses by the field's arrows; a click is for the pointer.
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
                <span className={classes['text']}>
                  <bdi>{target.label}</bdi>
                  {target.sublabel && <span className={classes['sub']}>{target.sublabel}</span>}
                </span>
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
  const Icon = icon ?? (kind === 'people' ? IconArrowRight : icons[kind]);
  return (
    <span className={classes['icon']}>
      <Icon size={17} stroke={1.7} aria-hidden />
    </span>
  );
}
