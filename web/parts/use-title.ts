import { useEffect } from 'react';

/** Calls the document what it shows, once that is known; until then it has the title of its page. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = title;
  }, [title]);
}
