import express, { type Express } from 'express';

/**
 * Every route of an app that `make` builds, as `GET /api/reports/{id}`; `USE /assets` for what is mounted at a
 * path and is not a router. Express does not keep the path of a mounted router, so it is recorded while the
 * app is built.
 */
export function routesOf(make: () => Express): string[] {
  const mounts = new Map<unknown, string>();
  const { use } = Router.prototype;
  Router.prototype.use = function noted(this: unknown, ...given: any[]) {
    const [path, handlers] = typeof given[0] === 'string' ? [given[0], given.slice(1)] : ['/', given];
    for (const handler of handlers.flat(Number.POSITIVE_INFINITY)) {
      if (isRouter(handler) && mounts.has(handler)) throw new Error('one router is mounted twice');
      mounts.set(handler, path);
    }
    return use.apply(this, given);
  };
  try {
    return walk(make().router.stack, '', mounts).sort();
  } finally {
    Router.prototype.use = use;
  }
}

const Router: any = express.Router;

function walk(stack: any[], prefix: string, mounts: ReadonlyMap<unknown, string>): string[] {
  return stack.flatMap(({ route, handle }) => {
    if (route !== undefined)
      return methodsOf(route).map(method => `${method} ${pathOf(prefix + route.path)}`);
    const at = mounts.get(handle) ?? '/';
    if (isRouter(handle)) return walk(handle.stack, at === '/' ? prefix : prefix + at, mounts);
    return at === '/' ? [] : [`USE ${pathOf(prefix + at)}`];
  });
}

function methodsOf(route: any): string[] {
  const methods = Object.keys(route.methods).map(method => method.toUpperCase());
  // `all` registers every HTTP method.
  return methods.includes('TRACE') ? ['ALL'] : methods;
}

function isRouter(handler: any): boolean {
  return Array.isArray(handler?.stack);
}

/** As OpenAPI writes it: parameters in braces, no slash at the end. */
function pathOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace(/(.)\/$/, '$1');
}
