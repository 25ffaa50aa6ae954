import { element } from './elements.js';

/** Shows status, headers and body of a response. As text: titles of sources come from the web. */
export async function showAnswer(output: HTMLElement, answer: Response): Promise<void> {
  const status = element('p', {}, [
    element('b', { textContent: `${answer.status} ${answer.statusText}`.trim() }),
  ]);
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  // It scrolls, for the keyboard too.
  const body = element('pre', { tabIndex: 0 });
  output.replaceChildren(
    status,
    element('details', {}, [
      element('summary', { textContent: 'Headers' }),
      element('pre', { textContent: headers }),
    ]),
    body,
  );
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') === true)
    await follow(body, answer);
  else body.textContent = readable(await answer.text());
}

/** A stream is shown as it comes. */
async function follow(body: HTMLElement, { body: stream }: Response): Promise<void> {
  const reader = stream?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read())
    body.append(part.value);
}

/** A track record is longer than a page can show at once. */
const shownCharactersMax = 200_000;

function readable(text: string): string {
  const shown = indented(text);
  return shown.length <= shownCharactersMax ? shown : `${shown.slice(0, shownCharactersMax)}\n… (cut here)`;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
