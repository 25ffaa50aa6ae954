import { Link } from 'react-router';

export function NotFoundPage() {
  return (
    <>
      <h1>Page not found</h1>
      <p>
        The address may be mistyped, or the page may have been removed. <Link to="/">Search the events</Link>{' '}
        instead.
      </p>
    </>
  );
}
