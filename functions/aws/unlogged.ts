interface Client {
  readonly middlewareStack: { remove(name: string): boolean };
}

/**
 * A client of the SDK without its logger, which copies each input and output to censor it, even where nobody logs them:
 * some percent of a request.
 */
export function unlogged<C extends Client>(client: C): C {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}
