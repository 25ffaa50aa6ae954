/** The anchor of an operation or a section: `createReport` and `API keys` are `create-report` and `api-keys`. */
export const anchorOf = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/[ _]+/g, '-')
    .toLowerCase();

/** The anchor of an object that several bodies contain. */
export const objectAnchor = (name: string): string => `object-${anchorOf(name)}`;

/** The anchor of a problem code. */
export const problemAnchor = (code: string): string => `problem-${anchorOf(code)}`;
