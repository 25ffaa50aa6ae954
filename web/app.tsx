import { Route, Routes } from 'react-router';
import { missingPage, pages } from './pages.js';
import { Layout } from './parts/layout.js';
import { useArrival } from './parts/use-arrival.js';

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
