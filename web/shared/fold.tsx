import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';

interface FoldProps {
  /** What is inside, in one line. */
  readonly summary: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Content that a phone shows on a tap. A wide screen has room for it and shows it opened. */
export function Fold({ summary, className, children }: FoldProps) {
  return (
    <details className={className} ref={useOpened()}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}

const wideScreen = '(min-width: 60rem)';

/**
 * Opens the element on a wide screen, and wherever the address leads to something in it: a link to its heading, which is
 * never hidden, opens nothing by itself.
 */
function useOpened(): RefObject<HTMLDetailsElement | null> {
  const ref = useRef<HTMLDetailsElement>(null);
  const { hash } = useLocation();
  useLayoutEffect(() => {
    if (ref.current !== null && window.matchMedia(wideScreen).matches) ref.current.open = true;
  }, []);
  useLayoutEffect(() => {
    const target = hash === '' ? null : document.getElementById(hash.slice(1));
    if (ref.current === null || target === null || !ref.current.contains(target)) return;
    ref.current.open = true;
    target.scrollIntoView();
  }, [hash]);
  return ref;
}
