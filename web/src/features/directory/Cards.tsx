import { Box } from '@mantine/core';
import type { DirectoryCard } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { AutoGrid } from '../../ui/AutoGrid.tsx';
import { breakable } from '../../ui/breakable.tsx';
import { mailTo } from '../../ui/mail-to.ts';
import { PersonAvatar } from '../../ui/PersonAvatar.tsx';
import classes from './Cards.module.css';

type Props = { card: DirectoryCard; /** The person that the page is about. */ current?: boolean };

/** What everyone may know about a colleague: name, title, place and email. */
export function Card({ card, current = false }: Props) {
  const { id, name, job_title, department, entity, email } = card;
  return (
    <div className={classes['card']} {...(current && { 'aria-current': 'true' })}>
      <PersonAvatar id={id} name={name} url={card.profile_picture_url} size={40} />
      <Box miw={0} fz="sm" lh={1.45}>
        <Box fw={550} fz="md">
          {current ? (
            <bdi>{name}</bdi>
          ) : (
            <Link to={paths.colleague} params={{ id: String(id) }}>
              <bdi>{name}</bdi>
            </Link>
          )}
        </Box>
        {job_title !== null && <bdi>{job_title}</bdi>}
        <div className="muted">
          <bdi>{department.name}</bdi> · <bdi>{entity.name}</bdi>
        </div>
        {email !== null && <a href={mailTo(email)}>{breakable(email)}</a>}
      </Box>
    </div>
  );
}

/** Cards side by side. */
export const CardGrid = ({ cards, label }: { cards: readonly DirectoryCard[]; label: string }) => (
  <AutoGrid component="ul" min="17rem" gap={12} aria-label={label}>
    {cards.map((card) => (
      <li key={card.id}>
        <Card card={card} />
      </li>
    ))}
  </AutoGrid>
);

/** The managers of a person from the top, and the person. */
export const Line = ({
  managers,
  person,
  label,
}: {
  managers: DirectoryCard[];
  person: DirectoryCard;
  label: string;
}) => (
  <Box component="ul" maw="30rem" className={classes['line']} aria-label={label}>
    {[...managers, person].map((card) => (
      <li key={card.id}>
        <Card card={card} current={card.id === person.id} />
      </li>
    ))}
  </Box>
);
