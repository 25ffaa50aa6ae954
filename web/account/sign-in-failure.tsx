import { ApiProblem } from '../api/api.js';
import { Notice, ProblemNotice } from '../shared/notice.js';
import type { SignInMode } from './use-sign-in.js';

/** Why nobody was let in, and what to try next. */
export function SignInFailure({ error, wish }: { readonly error: unknown; readonly wish: SignInMode }) {
  const code = error instanceof ApiProblem ? error.code : null;
  // Which of the two is wrong is not said: it would tell who has an account here.
  if (code === 'unauthenticated') {
    return (
      <Notice tone="bad" title="That did not work.">
        This e-mail address and this password do not belong together. Check both; capitals count in the
        password.
      </Notice>
    );
  }
  if (code === 'not_found') {
    return (
      <Notice tone="warn">
        Accounts of this service are kept by another identity provider, which this page cannot speak to. Use
        the API with a token of that provider.
      </Notice>
    );
  }
  if (code === 'invalid_request' && error instanceof ApiProblem) {
    return (
      <Notice tone="bad" title="That did not work.">
        {error.message} {wish === 'sign-up' ? 'If the account is yours, sign in instead.' : null}
      </Notice>
    );
  }
  return <ProblemNotice error={error} />;
}
