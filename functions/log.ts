/** What the rules know of logging. Fields are chosen by name; nothing logs a whole event, body or header set. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export type LogFields = Readonly<Record<string, unknown>>;

/** A log whose every line carries these fields, for where several requests share a process. */
export function withFields(log: Log, context: LogFields): Log {
  return {
    info: (message, fields) => log.info(message, { ...context, ...fields }),
    warn: (message, fields) => log.warn(message, { ...context, ...fields }),
    error: (message, fields) => log.error(message, { ...context, ...fields }),
  };
}
