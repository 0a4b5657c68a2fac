import { Title, type TitleProps } from '@mantine/core';

/** The heading of a part of a page. */
export const SectionTitle = (props: TitleProps) => <Title order={2} fz="0.9375rem" fw={600} lh={1.45} {...props} />;
