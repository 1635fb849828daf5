import type { HttpRequest, HttpResponse } from '@smithy/core/protocols';
import type { Call, Fault } from './faults.ts';

/** What a call asks a service to do. */
export interface Order<Answer = HttpResponse> {
  readonly operation: string;
  /** The parameters as on the wire. */
  readonly input: unknown;
  /** Performs it now. @throws ServiceError */
  readonly perform: (fault: Fault | undefined) => Promise<Answer> | Answer;
}

/** An AWS service, behind the SDK's wire format. */
export interface Service {
  readonly name: Call['service'];
  /** The error for throttled calls. */
  readonly throttling: ServiceError;
  /** @throws NotInEngine */
  read(request: HttpRequest): Promise<Order> | Order;
  refuse(error: ServiceError): HttpResponse;
}

/** A refusal in the service's own words. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: string;
  readonly status: number;
  /** What the error contains beside its message. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, status = 400, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/** Our code uses something that the engine does not have. Write its conformance tests and add it. */
export class NotInEngine extends Error {
  override readonly name = 'NotInEngine';
}
