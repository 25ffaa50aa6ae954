import { useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';
import { Layout } from '../shared/layout.js';
import { findPage } from './pages.js';

/** The whole site: the page at the current address, within the layout. */
export function App() {
  useNavigationEffects();
  const { page, parameters } = findPage(useLocation().pathname);
  const { Content } = page.code;
  return (
    <Layout>
      <Content key={page.path} parameters={parameters} />
    </Layout>
  );
}

/**
 * Sets the title, the scroll position and the focus after client-side navigation, as a browser does when it
 * loads a page. The browser itself restores the scroll position on the way back. A layout effect, so that a
 * page that knows a better title can set it afterwards (`useTitle`).
 */
function useNavigationEffects(): void {
  const { pathname, search, hash } = useLocation();
  const type = useNavigationType();
  const path = pathname + search;
  const previous = useRef({ path, pathname });
  useLayoutEffect(() => {
    const { current } = previous;
    if (current.path === path) return;
    previous.current = { path, pathname };
    const isSamePage = current.pathname === pathname;
    if (!isSamePage) document.title = findPage(pathname).page.title;
    if (isSamePage && (hash !== '' || type === NavigationType.Replace)) return;
    if (hash === '' && type !== NavigationType.Pop) window.scrollTo({ top: 0, behavior: 'instant' });
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [path, pathname, hash, type]);
}
