import { Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { paths } from '../../../paths.ts';
import { PersonAvatar } from '../../../ui/PersonAvatar.tsx';
import type { EmployeesSearch } from '../search.ts';

type Props = {
  id: number;
  name: string;
  sub?: string | null;
  size?: number;
  /** The API path of the person's picture. */
  picture?: string | null;
  /** The list that shows the person, for the previous and next links of the record. */
  directory?: EmployeesSearch;
};

/** A person in a list: picture or initials, the name as a link to the record, and a second line. */
export const EmployeeName = ({ id, name, sub, size = 32, picture = null, directory }: Props) => (
  <Group gap={11} wrap="nowrap" miw={0}>
    <PersonAvatar id={id} name={name} size={size} url={picture} />
    <Stack gap={0} miw={0}>
      <Link
        to={paths.employee}
        params={{ id: String(id) }}
        className="record-link truncate"
        {...(directory && { state: { directory } })}
        {...(directory?.as_of && { search: { as_of: directory.as_of } })}
      >
        <bdi>{name}</bdi>
      </Link>
      {sub && (
        <Text span truncate className="muted" size="sm">
          {sub}
        </Text>
      )}
    </Stack>
  </Group>
);
