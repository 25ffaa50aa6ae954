import { useEffect, useRef } from 'react';
import type { MintedKeyView } from '../../../contract/keys.js';
import { Notice } from '../notice.js';
import { CopyButton } from './copy-button.js';

interface MintedKeyProps {
  readonly minted: MintedKeyView;
  readonly onDone: () => void;
}

/** The one time that a key is shown. */
export function MintedKey({ minted: { name, key, warning }, onDone }: MintedKeyProps) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => headingRef.current?.focus(), []);
  return (
    <section className="card minted" aria-labelledby="minted">
      <h2 id="minted" ref={headingRef} tabIndex={-1}>
        Your new key “{name}”
      </h2>
      <Notice tone="warn">{warning}</Notice>
      <Copyable text={key} what="the key" />
      <h3>To use it from a shell</h3>
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

function Copyable({ text, what }: { text: string; what: string }) {
  const shownIn = useRef<HTMLElement>(null);
  return (
    <div className="copyable">
      <code ref={shownIn}>{text}</code>
      <CopyButton text={text} shownIn={shownIn} what={what} />
    </div>
  );
}
