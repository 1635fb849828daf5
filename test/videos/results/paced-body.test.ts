import { describe, expect, test } from '@jest/globals';
import { pacedBody } from '../../../functions/videos/results/open-result.ts';

const PACE = { bytesPerSecond: 100, graceMilliseconds: 60_000, restSeconds: 300 };

/** Bodies that take their time, and a reader that does. */
class Clock {
  #time = 0;

  readonly now = () => new Date(this.#time);

  async *body(chunks: number, bytes: number, seconds: number): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < chunks; i++) {
      this.#time += seconds * 1000;
      yield new Uint8Array(bytes);
    }
  }

  async read(body: AsyncIterable<Uint8Array>, secondsEach = 0, expected?: number): Promise<number> {
    let length = 0;
    const ports = { length: expected, endsAt: 780_000, now: this.now };
    for await (const chunk of pacedBody(body, PACE, ports)) {
      length += chunk.byteLength;
      this.#time += secondsEach * 1000;
    }
    return length;
  }
}

test('a result may come at its pace', async () => {
  const clock = new Clock();
  await expect(clock.read(clock.body(100, 2_900, 29))).resolves.toBe(290_000);
});

test('a result that comes in drops does not hold a copier for long', async () => {
  const clock = new Clock();
  await expect(clock.read(clock.body(100, 1, 29))).rejects.toThrow('too slow');
  expect(clock.now().getTime()).toBe(3 * 29_000);
});

test('a result may take a while to begin', async () => {
  const clock = new Clock();
  await expect(clock.read(clock.body(1, 1, 59))).resolves.toBe(1);
});

test('a result is not late while it is stored', async () => {
  const clock = new Clock();
  await expect(clock.read(clock.body(100, 1, 0), 29)).resolves.toBe(100);
});

describe('a result whose length is known', () => {
  test('may come as slowly as it likes, if all of it arrives in time', async () => {
    const clock = new Clock();
    await expect(clock.read(clock.body(26, 1, 29), 0, 26)).resolves.toBe(26);
  });

  test('is left alone after a minute, if it cannot arrive in time', async () => {
    const clock = new Clock();
    await expect(clock.read(clock.body(100, 2_900, 29), 0, 290_000)).rejects.toThrow('too slow');
    expect(clock.now().getTime()).toBe(3 * 29_000);
  });

  test('must come faster, the more time it takes to store it', async () => {
    const clock = new Clock();
    await expect(clock.read(clock.body(26, 1, 15), 20, 26)).rejects.toThrow('too slow');
  });
});
