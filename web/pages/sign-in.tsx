import { type FormEvent, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { EmailField, PasswordField } from '../account/credential-fields.js';
import { useSession } from '../account/use-session.js';
import { type SignInMode, useSignIn } from '../account/use-sign-in.js';
import { CouncilProblem } from '../api/api.js';
import { Notice, ProblemNotice } from '../shared/notice.js';
import { ownPath } from '../shared/paths.js';
import { textIn, useHydrated } from '../shared/read-input.js';

/** Signs in, or creates an account, and goes on to the page in `?to=`. */
export function SignInPage() {
  const [mode, setMode] = useState<SignInMode>('sign-in');
  const [search] = useSearchParams();
  const target = ownPath(search.get('to'));
  const signIn = useSignIn(mode, target);
  const isReady = useHydrated() && !signIn.isPending;
  const isNew = mode === 'sign-up';
  const switchMode = () => {
    signIn.reset();
    setMode(isNew ? 'sign-in' : 'sign-up');
  };
  return (
    <div className="narrow">
      <h1>{isNew ? 'Create an account' : 'Sign in'}</h1>
      <AlreadySignedIn target={target} />
      <noscript>
        <p>Signing in needs JavaScript. You can read the track record and the sample report without it.</p>
      </noscript>
      {/* By POST, so that a browser without JavaScript never writes a password into an address. */}
      <form className="stack card" method="post" onSubmit={event => signIn.mutate(credentialsIn(event))}>
        <Fields isNew={isNew} />
        <button className="button" type="submit" disabled={!isReady}>
          {isNew ? 'Create account' : 'Sign in'}
        </button>
        {signIn.isError ? <SignInFailure error={signIn.error} mode={mode} /> : null}
        {signIn.data === false ? <CheckMail /> : null}
      </form>
      <p>
        {isNew ? 'Already have an account? ' : 'New here? '}
        <button className="link" type="button" onClick={switchMode}>
          {isNew ? 'Sign in' : 'Create an account'}
        </button>
      </p>
      <p>
        <Link to="/forgotten-password">Forgotten your password?</Link>
      </p>
    </div>
  );
}

function AlreadySignedIn({ target }: { target: string }) {
  const { data } = useSession();
  if (data === undefined || data === null) return null;
  return (
    <Notice tone="plain">
      You are signed in as {data.email}. <Link to={target}>Continue</Link>, or sign in to another account.
    </Notice>
  );
}

function Fields({ isNew }: { isNew: boolean }) {
  return (
    <>
      <EmailField />
      <PasswordField label="Password" isNew={isNew} note="A new account has one free report a week." />
    </>
  );
}

/** A sign-up with an address in use is answered like a new one; only its session does not exist. */
function CheckMail() {
  return (
    <Notice tone="warn" title="Check your mail.">
      The account could not be opened here. The mail to this address says how to go on. If the account is
      yours, sign in instead.
    </Notice>
  );
}

function credentialsIn(event: FormEvent<HTMLFormElement>) {
  event.preventDefault();
  const form = new FormData(event.currentTarget);
  return { email: textIn(form, 'email'), password: textIn(form, 'password') };
}

function SignInFailure({ error, mode }: { error: unknown; mode: SignInMode }) {
  const code = error instanceof CouncilProblem ? error.code : null;
  // Does not say which of the two is wrong, because that would reveal who has an account.
  if (code === 'unauthenticated') {
    return (
      <Notice tone="bad" title="Sign-in failed.">
        The e-mail address or the password is wrong. Passwords are case-sensitive.
      </Notice>
    );
  }
  if (code === 'not_found') {
    return (
      <Notice tone="warn">
        This service uses an external identity provider, and this page cannot sign in to it. Use the API with
        a token from that provider.
      </Notice>
    );
  }
  if (code === 'invalid_request' && error instanceof CouncilProblem) {
    return (
      <Notice tone="bad" title={mode === 'sign-up' ? 'Account not created.' : 'Sign-in failed.'}>
        {error.message}
      </Notice>
    );
  }
  return <ProblemNotice error={error} />;
}
