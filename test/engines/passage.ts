import type { VirtualClock } from './clock.ts';
import { type Call, type Fault, type FaultPlan, faultsOf } from './faults.ts';
import type { Journal } from './journal.ts';
import { never, type Process } from './process.ts';
import { type Order, ServiceError } from './service.ts';

/** The network between callers and services. */
export interface Network {
  readonly clock: VirtualClock;
  readonly faults: FaultPlan;
  /** The time of a call and its answer together, in milliseconds. */
  readonly latency: (call: Call) => number;
  /** How long a caller waits for an answer, in milliseconds. @default for ever */
  readonly requestTimeout?: number | undefined;
  readonly journal: Journal;
}

/** The service, the calling process, and the network between them. */
export interface Passage {
  readonly service: { readonly name: Call['service']; readonly throttling: ServiceError };
  readonly network: Network;
  readonly process: Process;
}

/**
 * One request to a service and its answer, with all faults on the way.
 * @throws ServiceError for a refusal, or an error like those of the SDK's own handler
 */
export async function pass<Answer>(order: Order<Answer>, { service, network, process }: Passage) {
  const { clock, latency, journal } = network;
  const { operation, input } = order;
  const call = journal.note({ service: service.name, operation, process: process.name, input });
  const fault = faultOf(call, network);
  const milliseconds = latency(call);
  await clock.wait(milliseconds / 2);
  if (fault === 'hang') return never();
  if (fault === 'crash before') return die(process, call);
  const outcome = await effect(order, fault, service);
  if (fault === 'crash after') return die(process, call);
  if (fault === 'answer hangs') return never();
  if (fault === 'answer lost') throw connectionReset();
  await clock.wait(milliseconds / 2);
  if (!process.isAlive) return never();
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome.answer;
}

function faultOf(call: Call, { faults }: Network): Fault | undefined {
  const fault = faults(call);
  if (fault === undefined || faultsOf(call).includes(fault)) return fault;
  throw new Error(`${call.service} ${call.operation} cannot have the fault "${fault}"`);
}

/** Performs the call. A refusal is an answer too: it takes as long, and may get lost. */
async function effect<Answer>(
  order: Order<Answer>,
  fault: Fault | undefined,
  { throttling }: Passage['service'],
): Promise<{ readonly answer: Answer } | { readonly refusal: ServiceError }> {
  try {
    if (fault === 'error') throw new ServiceError('InternalServerError', 'Internal server error', 500);
    if (fault === 'throttled') throw throttling;
    return { answer: await order.perform(fault) };
  } catch (refusal) {
    if (refusal instanceof ServiceError) return { refusal };
    throw refusal;
  }
}

function die(process: Process, call: Call): Promise<never> {
  process.crash(call);
  return never();
}

const connectionReset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** @throws an error like that of the SDK's own handler */
export function inTime<T>(answered: Promise<T>, { requestTimeout, clock }: Network): Promise<T> {
  if (requestTimeout === undefined) return answered;
  return new Promise((resolve, reject) => {
    const stop = clock.ringIn(requestTimeout, () =>
      reject(Object.assign(new Error(`No answer within ${requestTimeout} ms`), { name: 'TimeoutError' })),
    );
    answered.then(resolve, reject).finally(stop);
  });
}
