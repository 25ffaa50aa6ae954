import { useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';
import { findPage } from './pages.js';

/**
 * What a browser does by itself on a new page, and does not where a script changes it: the title, the top of the page, and
 * the focus, which would otherwise be lost with the link that was followed. (The way back is scrolled by the browser.)
 * In a layout effect, so that a page which knows a better title (`use-title.ts`) has the last word.
 */
export function useArrival(): void {
  const { pathname, search, hash } = useLocation();
  const type = useNavigationType();
  const here = pathname + search;
  const before = useRef({ here, pathname });
  useLayoutEffect(() => {
    const { current } = before;
    if (current.here === here) return;
    before.current = { here, pathname };
    const samePage = current.pathname === pathname;
    if (!samePage) document.title = findPage(pathname).page.title;
    if (samePage && (hash !== '' || type === NavigationType.Replace)) return;
    if (hash === '' && type !== NavigationType.Pop) window.scrollTo({ top: 0, behavior: 'instant' });
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [here, pathname, hash, type]);
}
