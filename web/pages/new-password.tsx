import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Link, useSearchParams } from 'react-router';
import { PasswordField } from '../account/credential-fields.js';
import { CouncilProblem, useApi } from '../api/api.js';
import { Notice, ProblemNotice } from '../shared/notice.js';
import { textIn, useHydrated } from '../shared/read-input.js';

/** The link in the mail leads here: sets a new password. */
export function NewPasswordPage() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const api = useApi();
  const setting = useMutation({
    // The variables of the mutation contain the password, so they must not outlive the page.
    gcTime: 0,
    mutationFn: (newPassword: string) =>
      api.request('POST /api/auth/reset-password', { body: { token, newPassword }, as: 'nobody' }),
  });
  const isReady = useHydrated() && !setting.isPending;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setting.mutate(textIn(new FormData(event.currentTarget), 'password'));
  };
  return (
    <div className="narrow">
      <h1>New password</h1>
      <noscript>
        <p>This page needs JavaScript.</p>
      </noscript>
      {setting.isSuccess ? (
        <Notice tone="good" title="Your new password is set.">
          All sessions of your account have ended. <Link to="/sign-in">Sign in</Link> with it.
        </Notice>
      ) : token === '' ? (
        <UselessLink />
      ) : (
        <form className="stack card" method="post" onSubmit={submit}>
          <PasswordField label="New password" isNew note="All sessions of your account will end." />
          <button className="button" type="submit" disabled={!isReady}>
            Set the password
          </button>
          {setting.isError ? <SettingFailure error={setting.error} /> : null}
        </form>
      )}
    </div>
  );
}

function SettingFailure({ error }: { error: unknown }) {
  const isRefused = error instanceof CouncilProblem && error.code === 'invalid_request';
  return isRefused ? <UselessLink /> : <ProblemNotice error={error} />;
}

function UselessLink() {
  return (
    <Notice tone="bad" title="This link does not work.">
      A link works once, for an hour. <Link to="/forgotten-password">Request another one</Link>.
    </Notice>
  );
}
