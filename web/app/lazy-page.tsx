import { type ComponentType, use } from 'react';

export interface PageProps {
  /** Parameters in the path. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

/** The code of a page, which is a script of its own and loaded when the page is first needed. */
export interface LazyPage {
  /** The source file, by which the build names the scripts of the page. */
  readonly file: string;
  /** Shows the previous page until the code is loaded. */
  readonly Content: ComponentType<PageProps>;
  /** When it is done, `Content` renders at once: on the server, and in place of what the server has rendered. */
  load(): Promise<void>;
}

export function lazyPage(file: string, importPage: () => Promise<ComponentType<PageProps>>): LazyPage {
  let loaded: ComponentType<PageProps> | null = null;
  let loading: Promise<ComponentType<PageProps>> | null = null;
  const load = async () => {
    loaded = await importPage();
    return loaded;
  };
  return {
    file,
    Content: props => {
      if (loaded === null) loading ??= load().catch(reload);
      const Page = loaded ?? (loading === null ? null : use(loading));
      return Page === null ? null : <Page {...props} />;
    },
    load: async () => {
      await load();
    },
  };
}

/** A deployment has replaced the scripts that this document names. A new document names those that exist. */
function reload(): Promise<never> {
  window.location.reload();
  return new Promise(() => undefined);
}
