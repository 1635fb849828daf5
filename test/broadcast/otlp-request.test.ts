import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { otlpRequest, SPAN_STATUS, spanIds } from '../../functions/broadcast/otlp-request.ts';
import { decodeSpan } from './otlp-schema.ts';

const instant = fc.date({ min: new Date('2001-09-10'), max: new Date('2200-01-01'), noInvalidDate: true });

test('any span is valid OTLP, with exact times', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), instant, instant, (of, name, startedAt, endedAt) => {
      const span = { of, name, startedAt, endedAt, status: SPAN_STATUS.unset, attributes: { text: name } };
      const decoded = decodeSpan(otlpRequest(span));
      expect(decoded).toMatchObject(spanIds(of));
      expect(BigInt(decoded.startTimeUnixNano)).toBe(BigInt(startedAt.getTime()) * 1_000_000n);
      expect(BigInt(decoded.endTimeUnixNano)).toBe(BigInt(endedAt.getTime()) * 1_000_000n);
    }),
  );
});

test.each([0, 1, 0.5, 12])('the number %d has the type of every other number', (cost) => {
  const at = new Date('2026-11-22T00:00:00Z');
  const attributes = { cost, test: true, text: 'intValue' };
  const span = { of: 'a', name: 'b', startedAt: at, endedAt: at, status: SPAN_STATUS.unset, attributes };
  const body = otlpRequest(span);
  expect(JSON.parse(body).resourceSpans[0].scopeSpans[0].spans[0].attributes).toEqual([
    { key: 'cost', value: { doubleValue: cost } },
    { key: 'test', value: { boolValue: true } },
    { key: 'text', value: { stringValue: 'intValue' } },
  ]);
  expect(decodeSpan(body).attributes).toEqual(attributes);
});

test('the ids of a span depend only on its subject', () => {
  // These ids must never change: otherwise a retry from an older deployment would become a second span.
  expect(spanIds('vid_01jg000000000000000000000a')).toEqual({
    traceId: 'b2ca68cbafc7982850aa2b0f21139e68',
    spanId: '497dc7497b146ced',
  });
  expect(spanIds('vid_01jg000000000000000000000b')).not.toEqual(spanIds('vid_01jg000000000000000000000a'));
});
