import { type RefObject, useEffect, useRef } from 'react';

/**
 * Moves the focus to an element when `event` becomes non-null. Used after the focused element has been
 * removed, so that the focus is not lost.
 */
export function useFocusOn<Target extends HTMLElement>(event: unknown): RefObject<Target | null> {
  const ref = useRef<Target>(null);
  useEffect(() => {
    if (event !== null) ref.current?.focus();
  }, [event]);
  return ref;
}

/** Sets the document's title once it is known; until then the title of the page stays. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = title;
  }, [title]);
}
