import { inspect } from 'node:util';
import * as v from 'valibot';
import { type Style, visible, visibleLines } from '../terminal/text.ts';
import type { FunctionLogLine } from './log-lines.ts';

const structuredSchema = v.looseObject({
  level: v.string(),
  message: v.string(),
  timestamp: v.optional(v.string()),
  service: v.optional(v.string()),
  request_id: v.optional(v.string()),
  function_request_id: v.optional(v.string()),
});
type StructuredLine = v.InferOutput<typeof structuredSchema>;

/** The runtime's lines around every call, which nobody needs. */
const PLATFORM_LINE = /^(START|END|REPORT) RequestId: /;
/** Metrics in CloudWatch's embedded format: for dashboards, not for readers. */
const METRICS_LINE = /^\{"_aws":/;
/** Fields that are the same in every line, or that have their own column. */
const NOT_DETAILS = new Set([
  'level',
  'message',
  'timestamp',
  'service',
  'request_id',
  'function_request_id',
  'sampling_rate',
  'xray_trace_id',
]);

/** The indent of further lines, so that no text can look like a new log line. */
const CONTINUED = ' '.repeat('00:00:00 LEVEL '.length);

const LEVEL_COLOURS: Readonly<Record<string, Parameters<Style>[0]>> = {
  WARN: 'yellow',
  ERROR: 'red',
  DEBUG: 'dim',
};

/** A line for people: time, level, function, message, details, request id. Undefined for lines without news. */
export function readableLine(line: FunctionLogLine, style: Style): string | undefined {
  if (PLATFORM_LINE.test(line.text) || METRICS_LINE.test(line.text)) return undefined;
  const structured = parseStructured(line.text);
  if (structured === undefined) {
    const head = [clockTime(new Date(line.time)), '     ', visible(functionName(line.logGroup))];
    return [...head, visibleLines(line.text.trimEnd(), CONTINUED)].join(' ');
  }
  const { level, message, timestamp, service } = structured;
  const when = new Date(timestamp ?? line.time);
  const id = structured.request_id ?? structured.function_request_id;
  const columns = [
    style('dim', clockTime(when)),
    style(LEVEL_COLOURS[level] ?? 'green', visible(level).padEnd(5)),
    style('cyan', visible(service ?? functionName(line.logGroup))),
    visible(message),
    ...details(structured).map((detail) => style('dim', visible(detail))),
    ...(id === undefined ? [] : [style('dim', visible(`(${id})`))]),
  ];
  return columns.join(' ');
}

/** One JSON document in a line, whatever the function wrote. */
export function rawLine(line: FunctionLogLine): string | undefined {
  if (PLATFORM_LINE.test(line.text)) return undefined;
  // In JSON, line breaks and tabs occur only between tokens.
  if (parseStructured(line.text) !== undefined)
    return visible(line.text.trimEnd().replaceAll(/[\r\n\t]/g, ' '));
  const timestamp = new Date(line.time).toISOString();
  return visible(JSON.stringify({ timestamp, log_group: line.logGroup, message: line.text }));
}

function parseStructured(text: string): StructuredLine | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), structuredSchema), text);
  return parsed.success ? parsed.output : undefined;
}

function details(line: StructuredLine): string[] {
  return Object.entries(line)
    .filter(([name]) => !NOT_DETAILS.has(name))
    .map(([name, value]) => `${name}=${shown(value)}`);
}

const thrownSchema = v.object({ name: v.string(), message: v.string() });

function shown(value: unknown): string {
  const thrown = v.safeParse(thrownSchema, value);
  if (thrown.success) return `${thrown.output.name}: ${thrown.output.message}`;
  if (typeof value === 'string') return value;
  return inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 4 });
}

/** The emulator names a log group `/aws/cloudformation/<stack>/<function>Logs<hash>`. */
function functionName(logGroup: string): string {
  return logGroup.slice(logGroup.lastIndexOf('/') + 1).replace(/Logs[0-9A-F]{8}$/, '');
}

function clockTime(time: Date): string {
  const part = (value: number) => String(value).padStart(2, '0');
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(part).join(':');
}
