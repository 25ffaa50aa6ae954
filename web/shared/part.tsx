import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

interface PartProps {
  /** Also its address on the page. */
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** One part of a long page, under its own heading. */
export function Part({ id, title, children }: PartProps) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  const { hash } = useLocation();
  // A browser looks for the part when it arrives at the page, where it is not yet if the page was made here.
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
