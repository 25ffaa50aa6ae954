import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { Fold } from './fold.js';

interface PartProps {
  /** The id and anchor of the part. */
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** A section of a long page, with a heading that can be linked to. */
export function Part({ id, title, children }: PartProps) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  const { hash } = useLocation();
  // After client-side navigation the browser has looked for the anchor before this part was rendered.
  useEffect(() => {
    if (hash === `#${id}`) headingRef.current?.scrollIntoView();
  }, [hash, id]);
  return (
    <section className="part" aria-labelledby={id}>
      <h2 id={id} ref={headingRef}>
        {title}
      </h2>
      {children}
    </section>
  );
}

interface FoldedPartProps extends PartProps {
  /** What is inside, in one line. */
  readonly inside: string;
}

/** A section that a phone shows by its heading and one line, and whole on a tap. */
export function FoldedPart({ id, title, inside, children }: FoldedPartProps) {
  const summary = (
    <>
      <h2 id={id}>{title}</h2> <span className="inside">{inside}</span>
    </>
  );
  return (
    <section className="part folded" aria-labelledby={id}>
      <Fold summary={summary}>{children}</Fold>
    </section>
  );
}
