import { describe, expect, test } from '@jest/globals';
import { rawLine, readableLine } from '../../../local/logs/log-format.ts';
import { coloured, plain } from '../../../local/terminal/text.ts';
import { HOSTILE, OBEYED, SHOWN } from '../terminal/hostile-text.ts';

const GROUP = '/aws/cloudformation/Genway-local/RestApicreatekeyLogs6DA07D4B';
const TIME = new Date(2026, 10, 21, 6, 5, 4).getTime();
const line = (text: string) => ({ logGroup: GROUP, time: TIME, text });
const structured = (fields: Record<string, unknown>) =>
  line(JSON.stringify({ level: 'INFO', message: 'done', sampling_rate: 0, ...fields }));

describe('a line for a reader', () => {
  test('has time, level, function, message, details and request id, in this order', () => {
    const fields = {
      service: 'create-key',
      timestamp: new Date(2026, 10, 21, 7, 8, 9).toISOString(),
      request_id: 'req-1',
      status: 404,
      reason: 'no such key',
    };
    expect(readableLine(structured(fields), plain)).toBe(
      '07:08:09 INFO  create-key done status=404 reason=no such key (req-1)',
    );
  });

  test('uses the runtime’s request id, the event’s time and the group’s name if the line has none', () => {
    expect(readableLine(structured({ function_request_id: 'call-1' }), plain)).toBe(
      '06:05:04 INFO  RestApicreatekey done (call-1)',
    );
  });

  test('shows an error by its name and message; its stack is in the raw line', () => {
    const error = { name: 'TypeError', message: 'x is not a function', stack: 'at y', location: 'z' };
    expect(readableLine(structured({ service: 's', level: 'ERROR', error }), plain)).toBe(
      '06:05:04 ERROR s done error=TypeError: x is not a function',
    );
  });

  test('shows text that is not JSON unchanged', () => {
    expect(readableLine(line('plain words\n'), plain)).toBe('06:05:04       RestApicreatekey plain words');
  });

  test.each(['{"message":"no level"}', '[1]', '"text"', '{'])('treats %s as text', (text) => {
    expect(readableLine(line(text), plain)).toContain(text);
  });

  test('has colours only if they are on', () => {
    expect(readableLine(structured({}), plain)).not.toContain('\u001b');
    expect(readableLine(structured({}), coloured)).toContain('\u001b');
  });
});

describe('text from callers and vendors', () => {
  test.each(['level', 'message', 'service', 'request_id', 'reason', HOSTILE])(
    'is harmless as %j',
    (field) => {
      const shown = readableLine(structured({ [field]: HOSTILE }), plain);
      expect(shown).toContain(SHOWN);
      expect(shown).not.toMatch(OBEYED);
    },
  );

  test('is harmless within an error or an object', () => {
    for (const detail of [{ name: HOSTILE, message: HOSTILE }, { [HOSTILE]: [HOSTILE] }]) {
      expect(readableLine(structured({ detail }), plain)).not.toMatch(OBEYED);
    }
  });

  test('is harmless in a group’s name, and its further lines cannot look like log lines', () => {
    const text = `${HOSTILE}\n12:00:00 INFO  forged`;
    const [first, ...more] = readableLine({ ...line(text), logGroup: HOSTILE }, plain)?.split('\n') ?? [];
    expect(first).toMatch(/^06:05:04 {7}\S/);
    expect(more).toHaveLength(2);
    for (const later of more) expect(later).toMatch(/^ {15}12:00:00 INFO {2}forged/);
    for (const each of [first, ...more]) expect(each).not.toMatch(OBEYED);
  });

  test('is harmless in a raw line, and keeps its meaning', () => {
    for (const text of [
      structured({ reason: HOSTILE }).text,
      `{\n\t"level":"INFO",\r\n"message":"\u009b"}`,
      HOSTILE,
    ]) {
      expect(rawLine(line(text))).not.toMatch(OBEYED);
    }
    expect(JSON.parse(rawLine(structured({ reason: HOSTILE })) ?? '')).toMatchObject({ reason: HOSTILE });
    expect(JSON.parse(rawLine(line(HOSTILE)) ?? '')).toMatchObject({ message: HOSTILE });
  });
});

describe('a raw line', () => {
  test('is exactly what the function wrote', () => {
    const written = structured({ service: 's' });
    expect(rawLine(written)).toBe(written.text);
  });

  test('is JSON whatever the function wrote', () => {
    expect(JSON.parse(rawLine(line('two\nlines')) ?? '')).toEqual({
      timestamp: new Date(TIME).toISOString(),
      log_group: GROUP,
      message: 'two\nlines',
    });
  });
});

test.each(['START RequestId: 1 Version: $LATEST', 'END RequestId: 1', 'REPORT RequestId: 1\tDuration: 2 ms'])(
  '%s is hidden',
  (text) => {
    expect(readableLine(line(text), plain)).toBeUndefined();
    expect(rawLine(line(text))).toBeUndefined();
  },
);

test('metrics are for dashboards: hidden from readers, kept in the raw log', () => {
  const metrics = line('{"_aws":{"Timestamp":1},"service":"get-video","Requests":1}');
  expect(readableLine(metrics, plain)).toBeUndefined();
  expect(rawLine(metrics)).toBeDefined();
});
