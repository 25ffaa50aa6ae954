import { useEffect } from 'react';
import { Route, Routes, useLocation } from 'react-router';
import { findPage } from './find-page.js';
import { missingPage, pages } from './pages.js';
import { Layout } from './parts/layout.js';

/** The whole site. */
export function App() {
  useArrival();
  return (
    <Routes>
      <Route element={<Layout />}>
        {[...pages, missingPage].map(({ path, Content }) => (
          <Route key={path} path={path} element={<Content />} />
        ))}
      </Route>
    </Routes>
  );
}

/** What a browser does by itself on a new page, and does not where a script changes it: the title, and the top of the page. */
function useArrival(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = findPage(pathname).page.title;
    window.scrollTo(0, 0);
  }, [pathname]);
}
