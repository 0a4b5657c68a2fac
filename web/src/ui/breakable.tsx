import { Fragment } from 'react';

/** A long text or address that may wrap after a colon or before an @, but not within a part. */
export const breakable = (text: string) =>
  text.split(/(?<=:)|(?=@)/).map((part, place) => (
    // the parts of a text have no identity other than their index
    <Fragment key={place}>
      {part}
      <wbr />
    </Fragment>
  ));
