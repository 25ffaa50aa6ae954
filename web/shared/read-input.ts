import { useSyncExternalStore } from 'react';
/** The text of a field in a submitted form. */
export function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** Highest page that the API accepts. */
const pageMax = 10_000;

/** The page of a list that an address names; the first page if it names none or an invalid one. */
export function pageIn(search: URLSearchParams): number {
  const page = Number(search.get('page') ?? '1');
  return Number.isSafeInteger(page) && page > 0 && page <= pageMax ? page : 1;
}

const neverChanges = () => () => undefined;

/** Whether the script has taken over the page. Before that, a form would be submitted by the browser. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}
