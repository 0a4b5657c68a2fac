import { Fragment } from 'react';

/** A long text or address whose lines end after a colon or before an @ where they have to, and not within a part. */
export const breakable = (text: string) =>
  text.split(/(?<=:)|(?=@)/).map((part, place) => (
    // the parts of a text have no other name than their place
    <Fragment key={place}>
      {part}
      <wbr />
    </Fragment>
  ));
