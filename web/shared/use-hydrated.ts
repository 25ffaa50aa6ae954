import { useSyncExternalStore } from 'react';

const neverChanges = () => () => undefined;

/** Whether the script has taken over the page. Before that, a form would be submitted by the browser. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}
