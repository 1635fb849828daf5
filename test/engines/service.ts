import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import * as v from 'valibot';
import type { Call, Fault } from './faults.ts';

/** What a call asks a service to do. */
export interface Order {
  readonly operation: string;
  /** The parameters as on the wire. */
  readonly input: unknown;
  /** Performs it now. @throws ServiceError */
  readonly perform: (fault: Fault | undefined) => Promise<HttpResponse> | HttpResponse;
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

export type Operation = (input: unknown, fault: Fault | undefined) => Promise<object> | object;

/** An operation and all its parameters. Any other parameter is a mistake of the test, not an error of AWS. */
export function operation<const Schema extends v.GenericSchema>(
  schema: Schema,
  run: (input: v.InferOutput<Schema>, fault: Fault | undefined) => Promise<object> | object,
): Operation {
  return (input, fault) => {
    const { success, output, issues } = v.safeParse(schema, input);
    if (success) return run(output, fault);
    const [issue] = issues;
    throw new NotInEngine(`${v.getDotPath(issue) ?? 'input'}: ${issue.message}`);
  };
}

/** A service with AWS's JSON protocol: a header names the operation, and parameters and answer are JSON. */
export class JsonService implements Service {
  readonly name: Call['service'];
  readonly throttling = new ServiceError('ThrottlingException', 'Rate exceeded');
  readonly #operations: Readonly<Record<string, Operation>>;

  constructor(name: Call['service'], operations: Readonly<Record<string, Operation>>) {
    this.name = name;
    this.#operations = operations;
  }

  read({ headers, body }: HttpRequest): Order {
    const operation = headers['x-amz-target']?.split('.')[1] ?? '';
    const run = this.#operations[operation];
    if (run === undefined) throw new NotInEngine(`The ${this.name} engine has no ${operation}`);
    const input: unknown = JSON.parse(UTF8.decode(body));
    return { operation, input, perform: async (fault) => answer(200, await run(input, fault)) };
  }

  refuse({ code, message, status, details }: ServiceError): HttpResponse {
    return answer(status, { __type: code, message, ...details });
  }
}

const UTF8 = new TextDecoder();

const answer = (statusCode: number, body: object) =>
  new HttpResponse({ statusCode, body: Buffer.from(JSON.stringify(body)) });
