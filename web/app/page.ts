import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Api } from '../api/api.js';

/** One page of the site: where it is, what it is called, and what the server loads before it renders it. */
export interface Page {
  /** As the router matches it. */
  readonly path: string;
  readonly title: string;
  readonly Content: ComponentType;
  readonly status: 200 | 404;
  /** Loads what everybody may see; absent on private pages. */
  readonly load?: (loading: Loading) => Promise<Found | undefined>;
}

/** What was found out while loading; the page's own status and title unless told. */
export interface Found {
  readonly status?: 200 | 404 | 503;
  readonly title?: string;
}

export interface Loading {
  readonly api: Api;
  readonly queryClient: QueryClient;
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly search: URLSearchParams;
}
