import { useEffect, useRef } from 'react';
import type { MintedKeyView } from '../../../contract/keys.js';
import { Copyable } from '../../shared/copyable.js';
import { Notice } from '../../shared/notice.js';

interface NewKeyProps {
  readonly created: MintedKeyView;
  readonly onDone: () => void;
}

/** Shows a new key, this once. */
export function NewKey({ created: { name, key, warning }, onDone }: NewKeyProps) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => headingRef.current?.focus(), []);
  return (
    <section className="card new-key" aria-labelledby="new-key">
      <h2 id="new-key" ref={headingRef} tabIndex={-1}>
        Your new key “{name}”
      </h2>
      <Notice tone="warn">{warning}</Notice>
      <Copyable text={key} what="the key" />
      <h3>Use it from a shell</h3>
      <Copyable text={`export COUNCIL_API_KEY=${key}`} what="the export line" />
      <Copyable
        text={`curl -s ${window.location.origin}/api/credits/balance -H "X-API-Key: $COUNCIL_API_KEY"`}
        what="the curl line"
      />
      <button className="button" type="button" onClick={onDone}>
        I have stored it
      </button>
    </section>
  );
}
