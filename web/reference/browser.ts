import '../style/reference.css';
import { tryOperation } from './try-call.js';

/** What the reference can do only with scripts: calls, the filter, and the link to the account. */
function takeOver(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.try'))
    button.addEventListener('click', () => void tryOperation(button));

  const filter = document.querySelector<HTMLInputElement>('#filter');
  filter?.addEventListener('input', () => filterContents(filter.value.trim().toLowerCase()));

  const account = document.createElement('a');
  account.href = '/account';
  account.textContent = 'Account';
  document.querySelector('.account-menu')?.append(account);
}

/** Hides the operations of which neither title, path nor id contains the text, and sections that are left empty. */
function filterContents(text: string): void {
  for (const section of document.querySelectorAll<HTMLElement>('.contents > ul > li')) {
    const entries = [...section.querySelectorAll<HTMLElement>('[data-words]')];
    for (const entry of entries) {
      const words = `${entry.dataset['words'] ?? ''} ${entry.textContent}`;
      entry.hidden = !words.toLowerCase().includes(text);
    }
    section.hidden = text !== '' && entries.every(entry => entry.hidden);
  }
}

takeOver();
