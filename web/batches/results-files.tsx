import { useMutation } from '@tanstack/react-query';
import type { BatchView } from '../../contract/batches/batch-shapes.js';
import { type Api, useApi } from '../api/api.js';
import { ProblemNotice } from '../shared/notice.js';
import { Part } from '../shared/part.js';

/** Saves the results of a completed batch, in three formats. */
export function ResultsFiles({ batch: { batch_id: id } }: { readonly batch: BatchView }) {
  const api = useApi();
  const download = useMutation({ mutationFn: (file: ResultsFile) => save(api, id, file) });
  return (
    <Part id="results" title="Results">
      <div className="actions">
        {files.map(file => (
          <button
            key={file.format}
            className="button quiet"
            type="button"
            disabled={download.isPending}
            onClick={() => download.mutate(file)}
          >
            Download {file.text}
          </button>
        ))}
      </div>
      {download.isError ? <ProblemNotice error={download.error} /> : null}
    </Part>
  );
}

const files = [
  { format: 'ndjson', text: 'NDJSON', ending: 'ndjson' },
  { format: 'csv', text: 'CSV', ending: 'csv' },
  { format: 'forecastbench', text: 'ForecastBench', ending: 'forecastbench.json' },
] as const;

type ResultsFile = (typeof files)[number];

/** A link alone would carry no credential. */
async function save(api: Api, id: string, { format, ending }: ResultsFile): Promise<void> {
  const response = await api.streams.send('GET /api/batches/{id}/results', {
    path: { id },
    query: { format },
    headers: { accept: '*/*' },
  });
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = `batch-${id}.${ending}`;
  link.click();
  URL.revokeObjectURL(url);
}
