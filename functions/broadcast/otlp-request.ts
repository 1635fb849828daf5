import { createHash } from 'node:crypto';
import { defined } from '../defined.ts';

export interface Span {
  /** The id of what the span tells of: two spans with the same id are the same span. */
  readonly of: string;
  /** In hexadecimal digits. @default one of its own, made from `of` */
  readonly traceId?: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly status: (typeof SPAN_STATUS)[keyof typeof SPAN_STATUS];
  readonly attributes: Attributes;
}

export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** The codes of `Status` in opentelemetry/proto/trace/v1/trace.proto. */
export const SPAN_STATUS = { unset: 0, error: 2 } as const;
const SPAN_KIND_CLIENT = 3;
/** Sampled (bit 0), and known whether the parent is remote (bit 8): it is not. */
const FLAGS = 0x101;

/**
 * The body of an OTLP request over HTTP, in its JSON encoding: ids in hex, enums as numbers, 64-bit integers as text.
 * Fields with their default values are left out.
 */
export function otlpRequest(told: Span): string {
  const { of, traceId, parentSpanId, name, startedAt, endedAt, status, attributes } = told;
  const span = {
    ...spanIds(of),
    ...defined({ traceId, parentSpanId }),
    flags: FLAGS,
    name,
    kind: SPAN_KIND_CLIENT,
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: keyValues(attributes),
    status: { code: status },
  };
  const scopeSpans = [{ scope: { name: 'genway.broadcast' }, spans: [span] }];
  const resource = { attributes: keyValues({ 'service.name': 'genway' }) };
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] });
}

const nanoseconds = (at: Date): string => String(BigInt(at.getTime()) * 1_000_000n);

const keyValues = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

/** All our numbers are measurements. Receivers that store attributes by type must not get integers among doubles. */
function anyValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value };
  return typeof value === 'number' ? { doubleValue: value } : { boolValue: value };
}

/** Made from an id alone, so that a repeated span is the same span of the same trace. */
export function spanIds(of: string): { readonly traceId: string; readonly spanId: string } {
  const digest = createHash('sha256').update(`genway-trace/${of}`).digest('hex');
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}
