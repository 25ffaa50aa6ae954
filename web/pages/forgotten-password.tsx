import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Link } from 'react-router';
import { EmailField } from '../account/credential-fields.js';
import { useApi } from '../api/api.js';
import { Notice, ProblemNotice } from '../shared/notice.js';
import { textIn, useHydrated } from '../shared/read-input.js';

/** Sends the link to a new password. */
export function ForgottenPasswordPage() {
  const api = useApi();
  const requesting = useMutation({
    mutationFn: (email: string) =>
      api.request('POST /api/auth/request-password-reset', { body: { email }, as: 'nobody' }),
  });
  const isReady = useHydrated() && !requesting.isPending;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    requesting.mutate(textIn(new FormData(event.currentTarget), 'email'));
  };
  return (
    <div className="narrow">
      <h1>Forgotten password</h1>
      <p>Enter the address of your account. A mail with a link to a new password is sent to it.</p>
      <noscript>
        <p>This page needs JavaScript.</p>
      </noscript>
      <form className="stack card" method="post" onSubmit={submit}>
        <EmailField />
        <button className="button" type="submit" disabled={!isReady}>
          Send the link
        </button>
        {requesting.isError ? <ProblemNotice error={requesting.error} /> : null}
        {/* The same for every address: it does not say who has an account. */}
        {requesting.isSuccess ? (
          <Notice tone="good" title="Check your mail.">
            If there is an account with this address, the link arrives within minutes. It works once, for an
            hour.
          </Notice>
        ) : null}
      </form>
      <p>
        <Link to="/sign-in">Back to the sign-in</Link>
      </p>
    </div>
  );
}
