import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { MintedKeyView } from '../../contract/keys.js';
import { CreateKey } from '../account/keys/create-key.js';
import { KeyList } from '../account/keys/key-list.js';
import { NewKey } from '../account/keys/new-key.js';
import { MembersOnly } from '../account/members-only.js';

export function KeysPage() {
  return (
    <div className="account">
      <h1>API keys</h1>
      <MembersOnly>
        <p>
          A key lets your programs buy and read reports for you, and spend your credits. It cannot create
          other keys or read your provider keys. <a href="/docs">See the API reference</a>
        </p>
        <p>
          A program that need not ask: <Link to="/webhooks">webhooks</Link> tell it when a report ends.
        </p>
        <Keys />
      </MembersOnly>
    </div>
  );
}

/** A new key is held only in the state of this component: not in the address, and not in the query cache. */
function Keys() {
  const [created, setCreated] = useState<MintedKeyView | null>(null);
  const [isNext, setNext] = useState(false);
  const done = () => {
    setNext(true);
    setCreated(null);
  };
  useEffect(() => {
    // Browsers may show the page again as it was left. The key must not be on it then.
    const forget = () => flushSync(() => setCreated(null));
    window.addEventListener('pagehide', forget);
    return () => window.removeEventListener('pagehide', forget);
  }, []);
  return (
    <>
      {created === null ? (
        <CreateKey onCreated={setCreated} isNext={isNext} />
      ) : (
        <NewKey created={created} onDone={done} />
      )}
      <KeyList />
    </>
  );
}
