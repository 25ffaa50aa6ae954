import { element, labelled } from './elements.js';
import type { OpenApi, Parameter, PlacedOperation } from './open-api.js';
import { bodyOf, operationsOf } from './open-api.js';
import { showAnswer } from './show-answer.js';
import { targetOf } from './snippets/sample-request.js';

/** Replaces the button by a form that calls its operation. */
export async function tryOperation(button: HTMLButtonElement): Promise<void> {
  button.disabled = true;
  const operation = (await readOperations()).find(
    ({ operationId }) => operationId === button.dataset['operation'],
  );
  button.disabled = false;
  if (operation === undefined) {
    button.textContent = 'The operations could not be read. Try again';
    return;
  }
  const form = createForm(operation);
  button.replaceWith(form);
  form.querySelector<HTMLElement>('input, textarea, button')?.focus();
}

/** Read once, when the first call is tried. A failure is no result that lasts. */
let reading: Promise<PlacedOperation[]> | null = null;

async function readOperations(): Promise<PlacedOperation[]> {
  reading ??= fetch('/openapi.json').then(async answer => {
    const document: OpenApi = await answer.json();
    return operationsOf(document);
  });
  try {
    return await reading;
  } catch {
    reading = null;
    return [];
  }
}

/** The API key or session token that was entered last, for all forms. Only in memory. */
let credential = '';

interface Inputs {
  readonly parameters: readonly (readonly [Parameter, HTMLInputElement])[];
  readonly body: HTMLTextAreaElement | null;
}

function createForm(operation: PlacedOperation): HTMLFormElement {
  const parameters = (operation.parameters ?? []).map(parameter => [parameter, inputOf(parameter)] as const);
  const body = bodyInput(operation);
  const output = element('div', { className: 'answer', ariaLive: 'polite' });
  const send = element('button', { className: 'button small', textContent: 'Send' });
  const form = element('form', { className: 'try-form', autocomplete: 'off' }, [
    ...(needsCredential(operation) ? [credentialInput()] : []),
    ...parameters.map(([{ name, in: place, required }, input]) =>
      labelled(`${name} (${place}${required ? ', required' : ''})`, input),
    ),
    ...(body === null ? [] : [labelled('Body (JSON)', body)]),
    send,
    output,
  ]);
  form.addEventListener('submit', event => {
    event.preventDefault();
    send.disabled = true;
    void call(operation, { parameters, body })
      .then(answer => showAnswer(output, answer))
      .catch((error: unknown) => output.replaceChildren(`No answer: ${String(error)}`))
      .finally(() => {
        send.disabled = false;
      });
  });
  return form;
}

function inputOf({ required, example }: Parameter): HTMLInputElement {
  const value = required ? String(example ?? '') : '';
  const placeholder = required ? '' : String(example ?? '');
  return element('input', { type: 'text', required, value, placeholder, spellcheck: false });
}

function bodyInput({ requestBody }: PlacedOperation): HTMLTextAreaElement | null {
  if (requestBody === undefined) return null;
  const [example] = Object.values(bodyOf(requestBody)?.media.examples ?? {});
  const value = JSON.stringify(example?.value ?? {}, null, 2);
  return element('textarea', { value, rows: value.split('\n').length + 1, spellcheck: false });
}

const needsCredential = ({ security }: PlacedOperation) => security.some(each => 'session' in each);

/** Of a kind that browsers neither show nor complete. */
function credentialInput(): HTMLElement {
  const input = element('input', { type: 'password', autocomplete: 'off', value: credential });
  input.dataset['credential'] = '';
  input.addEventListener('input', () => {
    credential = input.value.trim();
    for (const other of document.querySelectorAll<HTMLInputElement>('[data-credential]'))
      other.value = input.value;
  });
  return labelled('API key or session token', input);
}

function call(operation: PlacedOperation, { parameters, body }: Inputs): Promise<Response> {
  const given = parameters.flatMap(([{ name, in: place }, { value }]) =>
    value === '' ? [] : [{ name, place, value }],
  );
  const at = (place: Parameter['in']) =>
    Object.fromEntries(given.filter(each => each.place === place).map(({ name, value }) => [name, value]));
  const isOfAccounts = operation.path.startsWith('/api/auth/');
  return fetch(targetOf({ template: operation.path, path: at('path'), query: at('query') }), {
    method: operation.method,
    headers: {
      ...at('header'),
      ...(credential === '' || !needsCredential(operation) ? {} : { Authorization: `Bearer ${credential}` }),
      ...(body === null ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body?.value ?? null,
    // The cookie is the credential of those routes alone.
    credentials: isOfAccounts ? 'same-origin' : 'omit',
    cache: 'no-store',
  });
}
