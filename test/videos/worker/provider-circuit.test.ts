import { describe, expect, test } from '@jest/globals';
import { ProviderCircuit } from '../../../functions/videos/worker/provider-circuit.ts';

const NOW = 1_000_000;
const WORKSPACE = 'ws-1';

function failing(times: number): ProviderCircuit {
  const circuit = new ProviderCircuit();
  for (let i = 0; i < times; i++) circuit.failed(NOW, WORKSPACE);
  return circuit;
}

describe('a provider', () => {
  test.each([
    [4, 0],
    [5, 15],
  ])('that failed %i times in a row gets no calls for %i s', (times, seconds) => {
    expect(failing(times).admit(NOW, WORKSPACE)).toBe(seconds);
  });

  test('that answers in between still gets calls', () => {
    const circuit = failing(4);
    circuit.answered();
    circuit.failed(NOW, WORKSPACE);
    expect(circuit.admit(NOW, WORKSPACE)).toBe(0);
  });

  test('gets no longer pause for calls that were under way', () => {
    const circuit = failing(10);
    expect(circuit.admit(NOW + 14_999, WORKSPACE)).toBe(0.001);
    expect(circuit.admit(NOW + 15_000, WORKSPACE)).toBe(0);
  });
});

describe('after its pause', () => {
  const rested = NOW + 15_000;

  test('one call tries it, and the others wait', () => {
    const circuit = failing(5);
    expect([circuit.admit(rested, WORKSPACE), circuit.admit(rested, WORKSPACE)]).toEqual([0, 30]);
  });

  test('a response lets all calls through', () => {
    const circuit = failing(5);
    circuit.admit(rested, WORKSPACE);
    circuit.answered();
    expect([circuit.admit(rested, WORKSPACE), circuit.admit(rested, WORKSPACE)]).toEqual([0, 0]);
  });

  test('each failure doubles the pause, up to four minutes', () => {
    const circuit = failing(4);
    let now = NOW;
    const rests = Array.from({ length: 7 }, () => {
      const seconds = circuit.failed(now, WORKSPACE);
      now += seconds * 1000;
      expect(circuit.admit(now, WORKSPACE)).toBe(0);
      return seconds;
    });
    expect(rests).toEqual([15, 30, 60, 120, 240, 240, 240]);
  });

  test('a trial without a result is followed by another', () => {
    const circuit = failing(5);
    circuit.admit(rested, WORKSPACE);
    expect(circuit.admit(rested + 29_999, WORKSPACE)).toBe(0.001);
    expect(circuit.admit(rested + 30_000, WORKSPACE)).toBe(0);
  });
});
