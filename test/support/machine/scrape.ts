/** One line of a metrics page. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples that Prometheus would read at this address. @throws Error when the page is not served */
export async function scrape(url: string): Promise<Sample[]> {
  return parseSamples(await metricsPage(url));
}

/** The names of the metrics at this address, also of those that have no value yet. */
export async function exportedNames(url: string): Promise<string[]> {
  const page = await metricsPage(url);
  const declared = [...page.matchAll(/^# TYPE (\S+)/gm)].flatMap(([, name]) => name ?? []);
  return [...declared, ...parseSamples(page).map(({ name }) => name)];
}

async function metricsPage(url: string): Promise<string> {
  const response = await fetch(`${url}/metrics`);
  if (!response.ok) throw new Error(`${url}/metrics answers ${response.status}`);
  return response.text();
}

export function parseSamples(page: string): Sample[] {
  return page
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => {
      const [, name, labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`no sample: ${line}`);
      return { name, labels: labelsOf(labels), value: Number(value === '+Inf' ? 'Infinity' : value) };
    });
}

function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}

/** The sum of all samples of a name that have these labels. */
export function total(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  return samples
    .filter(sample => sample.name === name)
    .filter(sample => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, sample) => sum + sample.value, 0);
}
