import { anchorOf } from './anchors.js';
import type { PlacedOperation } from './open-api.js';
import { curlSnippet } from './snippets/curl.js';
import { pythonSnippet } from './snippets/python.js';
import { sampleRequest } from './snippets/sample-request.js';
import { typescriptSnippet } from './snippets/typescript.js';

const languages = [
  { id: 'curl', name: 'curl', write: curlSnippet },
  { id: 'typescript', name: 'TypeScript', write: typescriptSnippet },
  { id: 'python', name: 'Python', write: pythonSnippet },
] as const;

interface CodeTabsProps {
  readonly operation: PlacedOperation;
  readonly baseUrl: string;
}

/** The same call in three languages. The style sheet shows the chosen one, so that it takes no script. */
export function CodeTabs({ operation, baseUrl }: CodeTabsProps) {
  const request = sampleRequest(operation);
  const group = `code-${anchorOf(operation.operationId)}`;
  return (
    <fieldset className="code-tabs">
      <legend className="unseen">Language of the example: {operation.summary}</legend>
      {languages.map(({ id, name }) => (
        <label key={id}>
          <input type="radio" name={group} value={id} defaultChecked={id === 'curl'} /> {name}
        </label>
      ))}
      {languages.map(({ id, write }) => (
        <pre key={id} data-code={id}>
          {write(request, baseUrl)}
        </pre>
      ))}
    </fieldset>
  );
}
