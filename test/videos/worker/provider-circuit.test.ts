import { describe, expect, test } from '@jest/globals';
import { ProviderCircuit } from '../../../functions/videos/worker/provider-circuit.ts';

const NOW = 1_000_000;
const CALL = { workspaceId: 'ws-1', jobId: 'bad' };
const OTHER = { ...CALL, jobId: 'healthy' };

function failing(times: number): ProviderCircuit {
  const circuit = new ProviderCircuit();
  for (let i = 0; i < times; i++) circuit.failed(NOW, CALL);
  return circuit;
}

describe('a provider', () => {
  test.each([
    [4, 0],
    [5, 15],
  ])('that failed %i times in a row gets no calls for %i s', (times, seconds) => {
    expect(failing(times).admit(NOW, CALL)).toBe(seconds);
  });

  test('that answers in between still gets calls', () => {
    const circuit = failing(4);
    circuit.answered();
    circuit.failed(NOW, CALL);
    expect(circuit.admit(NOW, CALL)).toBe(0);
  });

  test('gets no longer pause for calls that were under way', () => {
    const circuit = failing(10);
    expect(circuit.admit(NOW + 14_999, CALL)).toBe(0.001);
    expect(circuit.admit(NOW + 15_000, CALL)).toBe(0);
  });
});

describe('after its pause', () => {
  const rested = NOW + 15_000;

  test('one call tries it, and the others wait', () => {
    const circuit = failing(5);
    expect([circuit.admit(rested, CALL), circuit.admit(rested, CALL)]).toEqual([0, 30]);
  });

  test('a response lets all calls through', () => {
    const circuit = failing(5);
    circuit.admit(rested, CALL);
    circuit.answered();
    expect([circuit.admit(rested, CALL), circuit.admit(rested, CALL)]).toEqual([0, 0]);
  });

  test('each failure doubles the pause, up to four minutes', () => {
    const circuit = failing(4);
    let now = NOW;
    const rests = Array.from({ length: 7 }, () => {
      const seconds = circuit.failed(now, CALL);
      now += seconds * 1000;
      expect(circuit.admit(now, CALL)).toBe(0);
      return seconds;
    });
    expect(rests).toEqual([15, 30, 60, 120, 240, 240, 240]);
  });

  test('a trial without a result is followed by another', () => {
    const circuit = failing(5);
    circuit.admit(rested, CALL);
    expect(circuit.admit(rested + 29_999, CALL)).toBe(0.001);
    expect(circuit.admit(rested + 30_000, CALL)).toBe(0);
  });
});

describe('a job that has not failed', () => {
  /** One job has made every trial. The last has just failed, and begun the longest rest. */
  function tired(): { circuit: ProviderCircuit; now: number } {
    const circuit = failing(4);
    let now = NOW;
    for (let trials = 0; trials < 6; trials++) {
      circuit.admit(now, CALL);
      now += circuit.failed(now, CALL) * 1000;
    }
    return { circuit, now: now - 240_000 };
  }

  test('tries the provider 15 s after the last failure, however long the others rest', () => {
    const { circuit, now } = tired();
    expect(circuit.admit(now + 14_999, OTHER)).toBe(0.001);
    expect(circuit.admit(now + 15_000, CALL)).toBe(225);
    expect(circuit.admit(now + 15_000, OTHER)).toBe(0);
    expect(circuit.admit(now + 15_000, { ...OTHER, jobId: 'another' })).toBe(30);
  });

  test('has failed once its trial has', () => {
    const { circuit, now } = tired();
    circuit.admit(now + 15_000, OTHER);
    circuit.failed(now + 16_000, OTHER);
    expect(circuit.admit(now + 31_000, OTHER)).toBe(225);
    expect(circuit.admit(now + 31_000, { ...OTHER, jobId: 'another' })).toBe(0);
  });
});
