import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { MalformedMultipart, MultipartScanner } from '../../../functions/files/upload/multipart-scanner.ts';

interface Part {
  readonly header: string;
  readonly content: string;
}

/** The parts of a body in these chunks, as Latin-1. Throws the scanner's errors. */
function scan(chunks: readonly Buffer[], boundary = 'x'): Part[] {
  const scanner = new MultipartScanner(boundary);
  const parts: { header: string; content: string; ended: boolean }[] = [];
  for (const chunk of chunks) {
    for (const event of scanner.push(chunk)) {
      const last = parts.at(-1);
      if (event.kind === 'part') {
        expect(last?.ended ?? true).toBe(true);
        parts.push({ header: event.header.toString('latin1'), content: '', ended: false });
      } else if (last === undefined || last.ended) throw new Error(`${event.kind} outside a part`);
      else if (event.kind === 'data') {
        expect(event.bytes.length).toBeGreaterThan(0);
        last.content += event.bytes.toString('latin1');
      } else {
        expect(event.kind).toBe('end');
        last.ended = true;
      }
    }
  }
  scanner.end();
  return parts.map(({ header, content, ended }) => {
    expect(ended).toBe(true);
    return { header, content };
  });
}

const write = (parts: readonly Part[], boundary = 'x'): Buffer =>
  Buffer.from(
    `${parts.map(({ header, content }) => `--${boundary}\r\n${header}${header && '\r\n'}\r\n${content}\r\n`).join('')}--${boundary}--\r\n`,
    'latin1',
  );

/** Content that almost contains a delimiter, in many places. */
const nearMisses = fc
  .array(fc.constantFrom('\r', '\n', '-', '--', 'x', '\r\n', '\r\n-', '\r\n--', '\r\n--y', 'word'), {
    maxLength: 30,
  })
  .map((pieces) => pieces.join(''))
  .filter((content) => !`\r\n${content}\r\n`.includes('\r\n--x'));

const someParts = fc.array(
  fc.record({ header: fc.constantFrom('', 'a: 1', 'a: 1\r\nb: 2'), content: nearMisses }),
  { minLength: 1, maxLength: 4 },
);

function split(body: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map((cut) => cut % (body.length + 1)).sort((a, b) => a - b), body.length];
  return at.slice(1).map((end, i) => body.subarray(at[i], end));
}

/** A chunk is searched in pieces of this size. */
const PIECE = 6 * 1024;

test.each([1, 2])('a delimiter is found wherever it lies across the end of piece %i of a chunk', (piece) => {
  for (const boundary of ['x', 'a-boundary-of-a-client']) {
    for (let before = piece * PIECE - 60; before < piece * PIECE + 10; before++) {
      const parts = [
        { header: '', content: 'a'.repeat(before) },
        { header: '', content: 'second' },
      ];
      expect(scan([write(parts, boundary)], boundary)).toEqual(parts);
    }
  }
});

const EXAMPLE: Part[] = [
  { header: 'a: 1', content: 'One\r\n--y\r\n-' },
  { header: '', content: '' },
  { header: 'b: 2\r\nc: 3', content: '\r\n\r\n' },
];

describe('a multipart body', () => {
  test('gives its parts, whatever the chunks it comes in', () => {
    fc.assert(
      fc.property(someParts, fc.array(fc.nat(), { maxLength: 20 }), (parts, cuts) => {
        expect(scan(split(write(parts), cuts))).toEqual(parts);
      }),
      { numRuns: 2_000 },
    );
  });

  test('gives the same by single bytes and cut in two anywhere', () => {
    const body = write(EXAMPLE);
    expect(scan([...body].map((byte) => Buffer.from([byte])))).toEqual(EXAMPLE);
    for (let cut = 0; cut <= body.length; cut++) expect(scan(split(body, [cut]))).toEqual(EXAMPLE);
  });

  test('is incomplete at every byte before its end', () => {
    const body = write(EXAMPLE);
    const end = body.length - '\r\n'.length;
    for (let length = 0; length < end; length++) {
      expect(() => scan([body.subarray(0, length)])).toThrow('closing delimiter');
    }
    expect(scan([body.subarray(0, end)])).toEqual(EXAMPLE);
  });

  test.each([
    ['a preamble', 'This is\r\nMIME.\r\n--x\r\n\r\nyes\r\n--x--'],
    ['an epilogue', '--x\r\n\r\nyes\r\n--x--\r\nAnd\r\n--x\r\n\r\nmore'],
    ['white space behind its delimiters', '--x \t\r\n\r\nyes\r\n--x--  '],
    ['a delimiter right behind a near miss', '--x\r\n\r\nyes\r\n--x--'],
  ])('may have %s, in one chunk or byte by byte', (_, body) => {
    const whole = Buffer.from(body);
    for (const chunks of [[whole], Array.from(whole, (byte) => Buffer.of(byte))]) {
      expect(scan(chunks)).toEqual([{ header: '', content: 'yes' }]);
    }
  });

  test.each([
    ['nothing', ''],
    ['another boundary', '--y\r\n\r\nyes\r\n--y--'],
    ['line feeds alone', '--x\n\nyes\n--x--'],
    ['carriage returns alone', '--x\r\ryes\r--x--'],
    ['no line break before its delimiter', '--x\r\n\r\nyes--x--'],
    ['a longer boundary', '--xy\r\n\r\nyes\r\n--xy--'],
    ['one dash too few at its end', '--x\r\n\r\nyes\r\n--x-'],
    ['much white space behind a delimiter', `--x${' '.repeat(300)}\r\n\r\nyes\r\n--x--`],
  ])('with %s is refused', (_, body) => {
    expect(() => scan([Buffer.from(body)])).toThrow('The multipart body is malformed');
  });

  test('says what is wrong with a delimiter', () => {
    const message = 'a delimiter is followed by neither CRLF nor "--"';
    expect(() => scan([Buffer.from('--x\n')])).toThrow(new MalformedMultipart(message));
  });

  test('may have 256 bytes of white space behind a delimiter, and no more', () => {
    const padded = (length: number) => [Buffer.from(`--x${' '.repeat(length)}\r\n\r\nyes\r\n--x--`)];
    expect(scan(padded(256))).toEqual([{ header: '', content: 'yes' }]);
    expect(() => scan(padded(257))).toThrow('a delimiter is followed by');
  });

  test('has a part’s header whole behind white space, wherever it is cut', () => {
    const body = Buffer.from('--x \t\r\na: 1\r\n\r\nyes\r\n--x--');
    for (let cut = 0; cut <= body.length; cut++) {
      expect(scan(split(body, [cut]))).toEqual([{ header: 'a: 1', content: 'yes' }]);
    }
  });

  test('has headers of at most 16 KiB a part', () => {
    const atLimit = { header: `a: ${'x'.repeat(16 * 1024 - 3)}`, content: 'yes' };
    const whole = write([atLimit]);
    expect(scan([whole])).toEqual([atLimit]);
    const behindItsLine = '--x\r\n'.length + atLimit.header.length + '\r\n'.length;
    expect(scan(split(whole, [behindItsLine]))).toEqual([atLimit]);
    const body = write([{ header: `${atLimit.header}yyy`, content: '' }]);
    for (const chunks of [[body], split(body, [5_000, 9_000, 16_390]), split(body, [16_400])]) {
      expect(() => scan(chunks)).toThrow('longer than 16384 bytes');
    }
    const endless = [Buffer.from('--x\r\n'), ...Array.from({ length: 20 }, () => Buffer.alloc(1_000, 'a'))];
    expect(() => scan(endless)).toThrow('longer than 16384 bytes');
  });

  test.each([
    ['has all 16,384 bytes of its headers', 16_384, true],
    ['may not have one byte more', 16_385, false],
  ])('%s wherever the chunks are cut', (_, length, isAccepted) => {
    const part = { header: `a: ${'x'.repeat(length - 3)}`, content: 'yes' };
    const body = write([part]);
    const begin = '--x\r\n'.length + length;
    for (let cut = begin - 8; cut < begin + 8; cut++) {
      for (const cuts of [[cut], [cut, cut + 1], [cut, cut + 2], [cut, cut + 3]]) {
        if (isAccepted) expect(scan(split(body, cuts))).toEqual([part]);
        else expect(() => scan(split(body, cuts))).toThrow('longer than 16384 bytes');
      }
    }
  });

  test('is refused as soon as no end of its headers can come in time', () => {
    const begun = (length: number) => [Buffer.from(`--x\r\n${'a'.repeat(length)}`)];
    expect(() => scan(begun(16_387))).toThrow('closing delimiter');
    expect(() => scan(begun(16_388))).toThrow('longer than 16384 bytes');
  });

  test('has headers that are not copied once more for each byte they come in', () => {
    const header = `a: ${'1'.repeat(16_000)}`;
    const body = write([{ header, content: 'x' }]);
    const concat = jest.spyOn(Buffer, 'concat');
    try {
      expect(scan(Array.from(body, (byte) => Buffer.of(byte)))).toEqual([{ header, content: 'x' }]);
      const copied = concat.mock.calls
        .flatMap(([buffers]) => buffers)
        .reduce((sum, { length }) => sum + length, 0);
      expect(copied).toBeLessThan(body.length);
    } finally {
      concat.mockRestore();
    }
  });

  test('is passed on in views of its own chunks', () => {
    const scanner = new MultipartScanner('x');
    const head = Buffer.from('--x\r\n\r\n');
    const chunk = Buffer.alloc(100_000, 'a');
    expect([...scanner.push(head)]).toHaveLength(1);
    const [event] = [...scanner.push(chunk)];
    expect(event).toEqual({ kind: 'data', bytes: chunk });
    expect(event?.kind === 'data' && event.bytes.buffer === chunk.buffer).toBe(true);
  });
});

test('a delimiter is found wherever it is in a long chunk', () => {
  for (const near of [8 * 1024, 16 * 1024]) {
    for (let length = near - 60; length <= near + 10; length++) {
      const parts = ['first', 'second'].map((header) => ({ header, content: 'z'.repeat(length) }));
      expect(scan([write(parts, 'frontier')], 'frontier')).toEqual(parts);
    }
  }
});
