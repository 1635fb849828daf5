import * as v from 'valibot';

/**
 * A strict schema of OTLP's trace request in JSON. It follows
 * opentelemetry/proto/collector/trace/v1/trace_service.proto and its imports: ids are lower-case hex, 64-bit integers
 * beyond a double are text, measurements are doubles, and fields with their default values are left out.
 *
 * OpenTelemetry's JavaScript packages cannot read such a request. General decoders of protocol buffers do not fit
 * either, because they read ids as Base64.
 */
const anyValue = v.union([
  v.strictObject({ stringValue: v.string() }),
  v.strictObject({ boolValue: v.boolean() }),
  v.strictObject({ doubleValue: v.number() }),
]);
const attributes = v.array(v.strictObject({ key: v.string(), value: anyValue }));
const hex = (digits: number) =>
  v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${digits}}$`)), v.regex(/[1-9a-f]/));
const nanoseconds = v.pipe(v.string(), v.regex(/^[0-9]{19}$/));

const span = v.strictObject({
  traceId: hex(32),
  spanId: hex(16),
  parentSpanId: v.exactOptional(hex(16)),
  name: v.string(),
  /** 3 means SPAN_KIND_CLIENT. */
  kind: v.literal(3),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  status: v.strictObject({ code: v.picklist([0, 1, 2]), message: v.optional(v.string()) }),
  flags: v.number(),
});

const requestSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({
    resourceSpans: v.strictTuple([
      v.strictObject({
        resource: v.strictObject({ attributes }),
        scopeSpans: v.strictTuple([
          v.strictObject({ scope: v.strictObject({ name: v.string() }), spans: v.strictTuple([span]) }),
        ]),
      }),
    ]),
  }),
);

const plain = (list: v.InferOutput<typeof attributes>) =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));

/** The only span of a request, with its attributes as plain values. */
export function decodeSpan(body: string) {
  const { resource, scopeSpans } = v.parse(requestSchema, body).resourceSpans[0];
  const [decoded] = scopeSpans[0].spans;
  return { ...decoded, attributes: plain(decoded.attributes), resource: plain(resource.attributes) };
}
