import type { constructStack } from '@smithy/core/client';
import { HttpRequest } from '@smithy/core/protocols';

/** An account's trail shows it beside each call. */
const USER_AGENT = `Genway node/${process.versions.node}`;

interface HasStack<Input extends object, Output extends object> {
  readonly middlewareStack: ReturnType<typeof constructStack<Input, Output>>;
}

/**
 * A client of the SDK without two parts that each take some percent of a request: its logger copies each input and output
 * to censor it, even where nobody logs them; and its user agent is composed anew for each call.
 */
export function lean<C, Input extends object, Output extends object>(client: C & HasStack<Input, Output>): C {
  client.middlewareStack.remove('loggerMiddleware');
  client.middlewareStack.add(
    (next) => (args) => {
      if (HttpRequest.isInstance(args.request)) args.request.headers['user-agent'] = USER_AGENT;
      return next(args);
    },
    { name: 'getUserAgentMiddleware', step: 'build', priority: 'low', override: true },
  );
  return client;
}
