import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { MintedKeyView } from '../../contract/keys.js';
import { KeyList } from '../account/keys/key-list.js';
import { MintKey } from '../account/keys/mint-key.js';
import { MintedKey } from '../account/keys/minted-key.js';
import { MembersOnly } from '../account/members-only.js';
import type { Page } from '../app/page.js';

export const keysPage: Page = { path: '/keys', title: 'API keys · Council Report', status: 200, Content };

function Content() {
  return (
    <div className="account">
      <h1>API keys</h1>
      <MembersOnly>
        <p>
          A key lets your programs buy and read reports as you, and spend your credits. It cannot make other
          keys, nor see your provider keys. <a href="/docs/">What programs can do with it</a>
        </p>
        <Keys />
      </MembersOnly>
    </div>
  );
}

/** A new key lives in the state of this component alone: not in the address, nor in what is kept of answers. */
function Keys() {
  const [minted, setMinted] = useState<MintedKeyView | null>(null);
  const [isNext, setNext] = useState(false);
  const done = () => {
    setNext(true);
    setMinted(null);
  };
  useEffect(() => {
    // A browser keeps a page that is left as it was, to show it again on the way back. Then the key must be gone.
    const forget = () => flushSync(() => setMinted(null));
    window.addEventListener('pagehide', forget);
    return () => window.removeEventListener('pagehide', forget);
  }, []);
  return (
    <>
      {minted === null ? (
        <MintKey onMinted={setMinted} isNext={isNext} />
      ) : (
        <MintedKey minted={minted} onDone={done} />
      )}
      <KeyList />
    </>
  );
}
