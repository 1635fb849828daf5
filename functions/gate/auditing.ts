import { type AuditTrail, namesOfFields } from '../audit/audit-trail.ts';
import type { AuthenticatedCall } from '../http/call.ts';
import { ApiError } from '../http/errors.ts';
import type { PathParameters } from '../http/routes.ts';
import { redactText } from '../telemetry/redaction.ts';
import type { Operation } from './gate.ts';

export interface AuditPorts {
  readonly trail: Pick<AuditTrail, 'begin' | 'end'>;
  readonly now: () => Date;
  /** Eight characters that are unique among the entries of the same millisecond. */
  readonly newName: () => string;
}

/**
 * The operation with an entry in the audit trail, without which it does not begin. Its outcome is added afterwards; if
 * that fails, the caller still gets the true answer.
 */
export function audited(
  action: string,
  operation: Operation<AuthenticatedCall<PathParameters>>,
  { trail, now, newName }: AuditPorts,
): Operation<AuthenticatedCall<PathParameters>> {
  return async (call) => {
    const entry = {
      at: now().toISOString(),
      action,
      target: Object.fromEntries(
        Object.entries(call.path).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, redactText(value).slice(0, 200).toWellFormed()]],
        ),
      ),
      // Somebody may have put a key where an id belongs.
      fields: namesOfFields(call.body).map(redactText),
      key_hash: call.principal.keyHash,
      request_id: redactText(call.requestId),
      status: null,
    };
    const place = await trail.begin(entry, newName());
    const end = (status: number) =>
      trail
        .end(place, status)
        .catch((error: unknown) => call.log.error('audit entry not ended', { action, error }));
    try {
      const answer = await operation(call);
      await end(answer.status);
      return answer;
    } catch (error) {
      await end(error instanceof ApiError ? error.status : 500);
      throw error;
    }
  };
}
