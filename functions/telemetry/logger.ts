import { Logger } from '@aws-lambda-powertools/logger';
import type { Log, LogFields } from './log.ts';
import { redact } from './redaction.ts';

/** One JSON line an event. `POWERTOOLS_LOG_LEVEL` and `POWERTOOLS_SERVICE_NAME` come from the deployment. */
const logger = new Logger({ jsonReplacerFn: redact });

export const log: Log = {
  info: (message, fields = {}) => logger.info(message, fields),
  warn: (message, fields = {}) => logger.warn(message, fields),
  error: (message, fields = {}) => logger.error(message, fields),
};

/** A line that no level of the stage leaves out. */
export const logAlways = (message: string, fields: LogFields): void =>
  new Logger({ jsonReplacerFn: redact, logLevel: 'INFO' }).info(message, { ...fields });

/** Fields of every line from here to the next request or message of this function instance. */
export function logContext(fields: LogFields): void {
  logger.appendKeys({ ...fields });
}
