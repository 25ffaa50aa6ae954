import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { SignInFailure } from '../account/sign-in-failure.js';
import { type SignInMode, useSignIn } from '../account/use-sign-in.js';
import { useApi } from '../api/api.js';
import { sessionQuery } from '../api/private-queries.js';
import type { Page } from '../app/page.js';
import { useHydrated } from '../shared/hooks.js';
import { Notice } from '../shared/notice.js';
import { ownPath, textIn } from '../shared/read-input.js';

export const signInPage: Page = { path: '/sign-in', title: 'Sign in · Council Report', status: 200, Content };

const passwordMinChars = 8;
const passwordMaxChars = 128;
const emailMaxChars = 254;

function Content() {
  const [wish, setWish] = useState<SignInMode>('sign-in');
  const [search] = useSearchParams();
  const goal = ownPath(search.get('to'));
  const signIn = useSignIn(wish, goal);
  const isReady = useHydrated() && !signIn.isPending;
  const isNew = wish === 'sign-up';
  const change = () => {
    signIn.reset();
    setWish(isNew ? 'sign-in' : 'sign-up');
  };
  return (
    <div className="narrow">
      <h1>{isNew ? 'Open an account' : 'Sign in'}</h1>
      <AlreadyIn goal={goal} />
      <noscript>
        <p>Signing in needs JavaScript. The track record and the sample report can be read without.</p>
      </noscript>
      {/* By POST, so that whatever happens no browser writes a password into an address. */}
      <form className="stack card" method="post" onSubmit={event => signIn.mutate(formOf(event))}>
        <Fields isNew={isNew} />
        <button className="button" type="submit" disabled={!isReady}>
          {isNew ? 'Open account' : 'Sign in'}
        </button>
        {signIn.isError ? <SignInFailure error={signIn.error} wish={wish} /> : null}
      </form>
      <p>
        {isNew ? 'You have an account already? ' : 'You are new here? '}
        <button className="link" type="button" onClick={change}>
          {isNew ? 'Sign in' : 'Open an account'}
        </button>
      </p>
    </div>
  );
}

/** Whoever is signed in and comes here by an old link need not do it again. */
function AlreadyIn({ goal }: { goal: string }) {
  const { data } = useQuery({ ...sessionQuery(useApi()), enabled: typeof document !== 'undefined' });
  if (data === undefined || data === null) return null;
  return (
    <Notice tone="plain">
      You are signed in as {data.user.email}. <Link to={goal}>Go on</Link>, or sign in as somebody else.
    </Notice>
  );
}

function Fields({ isNew }: { isNew: boolean }) {
  return (
    <>
      <label>
        E-mail address
        <input name="email" type="email" autoComplete="email" required maxLength={emailMaxChars} />
      </label>
      <label>
        Password
        <input
          name="password"
          type="password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          required
          minLength={passwordMinChars}
          maxLength={passwordMaxChars}
          aria-describedby={isNew ? 'password-rule' : undefined}
        />
      </label>
      {isNew ? (
        <small id="password-rule" className="muted">
          At least {passwordMinChars} characters. A new account has one free report a week.
        </small>
      ) : null}
    </>
  );
}

function formOf(event: FormEvent<HTMLFormElement>) {
  event.preventDefault();
  const form = new FormData(event.currentTarget);
  return { email: textIn(form, 'email'), password: textIn(form, 'password') };
}
