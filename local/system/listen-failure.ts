import { LocalRunError } from '../failure.ts';
import { errorCode } from './error-code.ts';

/** Explains why a server cannot listen on a port. */
export function listenFailure(port: number, cause: unknown): LocalRunError {
  const code = errorCode(cause);
  if (code === 'EADDRINUSE') {
    return new LocalRunError(
      `Port ${port} is taken: stop what listens there, or choose another with --port (--port 0 takes a free one).`,
      { cause },
    );
  }
  if (code === 'EACCES') {
    return new LocalRunError(
      `Port ${port} is not allowed for this user: choose one from 1024 up with --port.`,
      {
        cause,
      },
    );
  }
  return new LocalRunError(
    `Port ${port} could not be opened (${String(cause)}): choose another with --port.`,
    {
      cause,
    },
  );
}
