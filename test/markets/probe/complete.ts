/** An object with a value of the right type in each field that is read. */
export function complete({
  used,
}: {
  readonly used: Readonly<Record<string, string>>;
}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(used).map(([field, type]) => [field, values[type.replace('?', '')]]),
  );
}

const values: Readonly<Record<string, unknown>> = {
  string: 'x',
  number: 1,
  boolean: true,
  list: [],
  object: {},
};
