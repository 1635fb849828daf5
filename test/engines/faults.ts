/** One request to AWS as the SDK sent it. A retry is another call. */
export interface Call {
  readonly service: 'dynamodb' | 's3' | 'sqs' | 'kms';
  readonly operation: string;
  /** Its number among all calls, from 1. */
  readonly index: number;
  /** Its number among the calls of this operation, from 1. */
  readonly nth: number;
  /** The calling process. */
  readonly process: string;
  /** The parameters as on the wire. */
  readonly input: unknown;
}

export type Fault =
  /** An internal error. The call has no effect. */
  | 'error'
  /** The service throttles the call, which has no effect. */
  | 'throttled'
  /** The call takes effect, but the connection breaks before the answer. The SDK retries. */
  | 'answer lost'
  /** No answer ever comes, and the call has no effect. */
  | 'hang'
  /** The call takes effect, but no answer ever comes. */
  | 'answer hangs'
  /** The caller dies before the call takes effect. This call and all later ones of its process never end. */
  | 'crash before'
  /** The call takes effect, and the caller dies before the answer. */
  | 'crash after'
  /** Another transaction holds one of the items. The call has no effect. */
  | 'conflict'
  /** Only the first item of a batch is processed. */
  | 'unprocessed'
  /** A message is stored twice, or is handed out and stays visible. */
  | 'duplicate';

/** Called for every call; returns its fault, if any. */
export type FaultPlan = (call: Call) => Fault | undefined;

export const noFaults: FaultPlan = () => undefined;

const ANYWHERE: readonly Fault[] = [
  'error',
  'throttled',
  'answer lost',
  'hang',
  'answer hangs',
  'crash before',
  'crash after',
];
const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'];
const BATCHES = ['BatchGetItem', 'BatchWriteItem'];
const AT_LEAST_ONCE = ['SendMessage', 'ReceiveMessage'];

export function faultsOf({ operation }: Pick<Call, 'operation'>): readonly Fault[] {
  if (WRITES.includes(operation)) return [...ANYWHERE, 'conflict'];
  if (BATCHES.includes(operation)) return [...ANYWHERE, 'unprocessed'];
  if (AT_LEAST_ONCE.includes(operation)) return [...ANYWHERE, 'duplicate'];
  return ANYWHERE;
}

/** The fault for every call with all these properties. */
export function faultAt(
  { service, operation, index, nth, process }: Partial<Omit<Call, 'input'>>,
  fault: Fault,
): FaultPlan {
  const isAs = <T>(wanted: T | undefined, is: T) => wanted === undefined || wanted === is;
  return (call) =>
    isAs(service, call.service) &&
    isAs(operation, call.operation) &&
    isAs(index, call.index) &&
    isAs(nth, call.nth) &&
    isAs(process, call.process)
      ? fault
      : undefined;
}

/** All calls so far, in order. */
export class Journal {
  readonly calls: Call[] = [];
  /** How many calls there were, stored or not. */
  count = 0;
  /** False if there are too many calls to store. */
  keeps: boolean;
  readonly #counts = new Map<string, number>();

  constructor(keeps = true) {
    this.keeps = keeps;
  }

  note(call: Omit<Call, 'index' | 'nth'>): Call {
    const operation = `${call.service} ${call.operation}`;
    const nth = (this.#counts.get(operation) ?? 0) + 1;
    this.#counts.set(operation, nth);
    const noted = { ...call, index: ++this.count, nth };
    if (this.keeps) this.calls.push(noted);
    return noted;
  }
}
