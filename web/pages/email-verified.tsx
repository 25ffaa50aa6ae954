import { Link, useSearchParams } from 'react-router';
import { Notice } from '../shared/notice.js';

/** The result of the link that verifies an address. */
export function EmailVerifiedPage() {
  const [search] = useSearchParams();
  return (
    <div className="narrow">
      <h1>Your e-mail address</h1>
      {search.has('error') ? (
        <Notice tone="bad" title="This link does not work.">
          A link works for a day. You can request another one in <Link to="/account">your account</Link>.
        </Notice>
      ) : (
        <Notice tone="good" title="Your address is confirmed.">
          Go on to <Link to="/">the events</Link> or to <Link to="/account">your account</Link>.
        </Notice>
      )}
    </div>
  );
}
