import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';

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

const never = () => () => undefined;

/** Whether the page's script has taken over: until then a form would be sent the old way. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/** Calls the document what it shows, once that is known; until then it has the title of its page. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = title;
  }, [title]);
}
