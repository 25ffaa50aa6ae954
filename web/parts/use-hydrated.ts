import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Whether the page's script has taken over: until then a form would be sent the old way. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
