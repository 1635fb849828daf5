import { createHash } from 'node:crypto';
import { type Attributes, type HrTime, SpanKind, type SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';

export interface Span {
  /** The id of what the span tells of: two spans with the same id are the same span. */
  readonly of: string;
  readonly name: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly status: SpanStatusCode;
  readonly attributes: Attributes;
}

const resource = resourceFromAttributes({ 'service.name': 'genway' });
const instrumentationScope = { name: 'genway.broadcast' };

/** The body of an OTLP request over HTTP, in its JSON encoding. */
export function otlpRequest(span: Span): Uint8Array<ArrayBuffer> {
  const { name, attributes } = span;
  const bytes = JsonTraceSerializer.serializeRequest([
    {
      name,
      attributes,
      kind: SpanKind.CLIENT,
      spanContext: () => ({ ...spanIds(span.of), traceFlags: TraceFlags.SAMPLED }),
      startTime: hrTime(span.startedAt.getTime()),
      endTime: hrTime(span.endedAt.getTime()),
      duration: hrTime(span.endedAt.getTime() - span.startedAt.getTime()),
      status: { code: span.status },
      ended: true,
      events: [],
      links: [],
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
      resource,
      instrumentationScope,
    },
  ]);
  if (bytes === undefined) throw new Error(`OpenTelemetry could not encode the span of ${span.of}`);
  return new TextEncoder().encode(JSON.stringify(JSON.parse(new TextDecoder().decode(bytes), asDouble)));
}

/**
 * A reviver for `JSON.parse` that makes every number a double. To JavaScript 1 and 0.5 are of one kind, but the package
 * would write an integer and a double, and receivers that store attributes by type must not get both under one name.
 * All our numbers are measurements.
 */
function asDouble(_name: string, value: unknown): unknown {
  const isInteger = typeof value === 'object' && value !== null && 'intValue' in value;
  return isInteger ? { doubleValue: value.intValue } : value;
}

/** Made from an id alone, so that a repeated span is the same span of the same trace. */
export function spanIds(of: string): { readonly traceId: string; readonly spanId: string } {
  const digest = createHash('sha256').update(`genway-trace/${of}`).digest('hex');
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}

const hrTime = (milliseconds: number): HrTime => [
  Math.floor(milliseconds / 1000),
  (milliseconds % 1000) * 1_000_000,
];
