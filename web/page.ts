import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Api } from './api/api.js';

/** One page of the site: where it is, what it is called, and what the server loads before it renders it. */
export interface Page {
  /** As the router matches it. */
  readonly path: string;
  readonly title: string;
  readonly Content: ComponentType;
  /** HTTP status of the page when nothing else is found out while loading. */
  readonly status: 200 | 404;
  /** Loads what everybody may see; absent on private pages. Returns another status where there is one. */
  readonly load?: (loading: Loading) => Promise<number | undefined>;
}

export interface Loading {
  readonly api: Api;
  readonly queryClient: QueryClient;
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly search: URLSearchParams;
}
