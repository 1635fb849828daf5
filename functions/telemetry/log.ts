/** The log, as rules know it. Fields are chosen by name; nothing logs a whole event, body or set of headers. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export type LogFields = Readonly<Record<string, unknown>>;

/** A log that adds these fields to every line, for a process that several requests share. */
export function withFields(log: Log, context: LogFields): Log {
  return {
    info: (message, fields) => log.info(message, { ...context, ...fields }),
    warn: (message, fields) => log.warn(message, { ...context, ...fields }),
    error: (message, fields) => log.error(message, { ...context, ...fields }),
  };
}
