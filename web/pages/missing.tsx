import { Link } from 'react-router';
import type { Page } from '../app/page.js';

export const missing: Page = { path: '*', title: 'Not found · Council Report', status: 404, Content };

function Content() {
  return (
    <>
      <h1>There is nothing here</h1>
      <p>
        The address may be mistyped, or the page may be gone. <Link to="/">Search the events</Link> instead.
      </p>
    </>
  );
}
