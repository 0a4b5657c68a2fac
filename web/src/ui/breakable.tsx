import { Fragment } from 'react';

/** A long text whose lines end after a colon where they have to, and not within a part. */
export const breakable = (text: string) =>
  text.split(/(?<=:)/).map((part, place) => (
    // the parts of a text have no other name than their place
    <Fragment key={place}>
      {part}
      <wbr />
    </Fragment>
  ));
