import { Route, Routes } from 'react-router';
import { Layout } from '../shared/layout.js';
import { missingPage, pages } from './pages.js';
import { useArrival } from './use-arrival.js';

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
