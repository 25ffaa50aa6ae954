import { useEffect, useRef } from 'react';
import { webhookSecretKeptHours } from '../../../contract/product.js';
import { Copyable } from '../../shared/copyable.js';
import { Notice } from '../../shared/notice.js';

/** A secret that the API has just made, and of what. */
export interface ShownSecret {
  readonly url: string;
  readonly secret: string;
  /** Whether the one before signs, too, for some hours. */
  readonly isRotated: boolean;
}

interface NewSecretProps {
  readonly shown: ShownSecret;
  readonly onDone: () => void;
}

/** Shows the secret of a webhook, this once. */
export function NewSecret({ shown: { url, secret, isRotated }, onDone }: NewSecretProps) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => headingRef.current?.focus(), [secret]);
  return (
    <section className="card new-key" aria-labelledby="new-secret">
      <h2 id="new-secret" ref={headingRef} tabIndex={-1}>
        The secret of your webhook
      </h2>
      <p className="any">{url}</p>
      <Notice tone="warn">Store this secret now: it cannot be shown again.</Notice>
      <Copyable text={secret} what="the secret" />
      <p>
        Your program verifies with it that a request comes from here (Standard Webhooks).
        {isRotated
          ? ` For ${webhookSecretKeptHours} hours every request is signed with it and with the secret before.`
          : null}
      </p>
      <button className="button" type="button" onClick={onDone}>
        I have stored it
      </button>
    </section>
  );
}
