import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface MissingProps {
  /** What there is none of. */
  readonly what: string;
  /** How that may have come about, in a sentence. */
  readonly children: ReactNode;
}

/** In place of what an address names and does not exist. */
export function Missing({ what, children }: MissingProps) {
  return (
    <>
      <h1>There is no such {what}</h1>
      <p>
        {children} <Link to="/">Search the events</Link> instead.
      </p>
    </>
  );
}
