/** One request to AWS as the SDK sent it: its repetitions are calls of their own. */
export interface Call {
  readonly service: 'dynamodb' | 's3' | 'sqs' | 'kms';
  readonly operation: string;
  /** Its place among all calls, from 1. */
  readonly index: number;
  /** Its place among the calls of this operation, from 1. */
  readonly nth: number;
  /** Who calls. */
  readonly process: string;
  /** As it was on the wire. */
  readonly input: unknown;
}

export type Fault =
  /** An internal error, and nothing has happened. */
  | 'error'
  /** The service asks to be called less often, and nothing has happened. */
  | 'throttled'
  /** It happens, but the connection breaks before the answer: the SDK tries again. */
  | 'answer lost'
  /** No answer ever, and nothing has happened. */
  | 'hang'
  /** It happens, but no answer ever comes. */
  | 'answer hangs'
  /** The caller dies before it happens: neither this call nor any later one of its process ever ends. */
  | 'crash before'
  /** It happens, and the caller dies before it hears of it. */
  | 'crash after'
  /** Another transaction on one of the items is under way; nothing has happened. */
  | 'conflict'
  /** A batch gets as far as its first item. */
  | 'unprocessed'
  /** A message is stored twice, or handed out although it stays visible. */
  | 'duplicate';

/** Asked at every call. */
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
const AT_LEAST_ONCE = ['SendMessage', 'SendMessageBatch', 'ReceiveMessage'];

/** What can go wrong with a call. */
export function faultsOf({ operation }: Pick<Call, 'operation'>): readonly Fault[] {
  if (WRITES.includes(operation)) return [...ANYWHERE, 'conflict'];
  if (BATCHES.includes(operation)) return [...ANYWHERE, 'unprocessed'];
  if (AT_LEAST_ONCE.includes(operation)) return [...ANYWHERE, 'duplicate'];
  return ANYWHERE;
}

/** The fault, at every call that has all these properties. */
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

/** Some fault, of those given that the call can have, at this share of the calls. */
export function randomFaults(rate: number, faults: readonly Fault[], random: () => number): FaultPlan {
  return (call) => {
    if (random() >= rate) return undefined;
    const possible = faultsOf(call).filter((fault) => faults.includes(fault));
    return possible[Math.floor(random() * possible.length)];
  };
}
