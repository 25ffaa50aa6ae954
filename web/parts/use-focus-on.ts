import { type RefObject, useEffect, useRef } from 'react';

/**
 * Where the focus goes when what had it goes away, so that it is not lost.
 * @param end of what was done; null for as long as nothing was
 */
export function useFocusOn<Target extends HTMLElement>(end: unknown): RefObject<Target | null> {
  const ref = useRef<Target>(null);
  useEffect(() => {
    if (end !== null) ref.current?.focus();
  }, [end]);
  return ref;
}
