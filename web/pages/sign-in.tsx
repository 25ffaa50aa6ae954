import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { z } from 'zod';
import type { Api } from '../api/api.js';
import { useApi } from '../api/api-context.js';
import { ApiProblem } from '../api/api-problem.js';
import type { Page } from '../page.js';
import { Notice } from '../parts/notice.js';
import { ProblemNotice } from '../parts/problem-notice.js';

export const signInPage: Page = { path: '/sign-in', title: 'Sign in · Council Report', status: 200, Content };

const passwordMinChars = 8;

type Wish = 'sign-in' | 'sign-up';

function Content() {
  const [wish, setWish] = useState<Wish>('sign-in');
  const signIn = useSignIn(wish);
  const isNew = wish === 'sign-up';
  const change = () => {
    signIn.reset();
    setWish(isNew ? 'sign-in' : 'sign-up');
  };
  return (
    <div className="narrow">
      <h1>{isNew ? 'Open an account' : 'Sign in'}</h1>
      <form className="stack card" onSubmit={event => signIn.mutate(formOf(event))}>
        <Fields isNew={isNew} />
        <button className="button" type="submit" disabled={signIn.isPending}>
          {isNew ? 'Open account' : 'Sign in'}
        </button>
        {signIn.isError ? <Failure error={signIn.error} /> : null}
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

function Fields({ isNew }: { isNew: boolean }) {
  return (
    <>
      <label>
        E-mail address
        <input name="email" type="email" autoComplete="email" required maxLength={254} />
      </label>
      <label>
        Password
        <input
          name="password"
          type="password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          required
          minLength={passwordMinChars}
          maxLength={128}
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

function Failure({ error }: { error: unknown }) {
  if (error instanceof ApiProblem && error.code === 'not_found') {
    return (
      <Notice tone="warn">
        Accounts of this service are kept by another identity provider, which this page cannot speak to. Use
        the API with a token of that provider.
      </Notice>
    );
  }
  return <ProblemNotice error={error} />;
}

/** Everything that was known of whoever was here before is forgotten; then on to where the visitor was going. */
function useSignIn(wish: Wish) {
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  return useMutation({
    mutationFn: (form: { email: string; password: string }) => enter(api, wish, form),
    onSuccess: async () => {
      await queryClient.resetQueries({ queryKey: ['private'] });
      await navigate(ownPath(search.get('to')), { replace: true });
    },
  });
}

function enter(api: Api, wish: Wish, { email, password }: { email: string; password: string }) {
  const name = email.split('@')[0] ?? email;
  const body = wish === 'sign-up' ? { email, password, name } : { email, password };
  return api.send('POST', `/api/auth/${wish}/email`, z.unknown(), { body, as: 'nobody' });
}

/** Only a path of this site: an address from outside must not send anybody elsewhere. */
function ownPath(to: string | null): string {
  return to !== null && /^\/(?![/\\])/.test(to) ? to : '/';
}

function formOf(event: FormEvent<HTMLFormElement>) {
  event.preventDefault();
  const form = new FormData(event.currentTarget);
  return { email: textIn(form, 'email'), password: textIn(form, 'password') };
}

function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
