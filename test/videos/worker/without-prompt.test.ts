import { describe, expect, test } from '@jest/globals';
import { ProviderError } from '../../../functions/videos/providers/provider.ts';
import { withoutPrompt } from '../../../functions/videos/worker/without-prompt.ts';
import { aJob } from '../jobs/job-fixture.ts';
import { JobWorld, type Script } from './job-world.ts';

const PROMPT = 'A red fox, in the SNOW; ein Mädchen läuft. 一只红狐狸';

describe('what a vendor says', () => {
  test.each([
    ['Invalid prompt: "A red fox, in the SNOW" is refused', 'Invalid prompt: "[prompt]" is refused'],
    [String.raw`bad {"prompt":"red\nfox in the snow"}`, 'bad {"prompt":"[prompt]"}'],
    ['in the snow, no; EIN MÄDCHEN LÄUFT!', '[prompt], no; [prompt]!'],
    ['不允许：一只红狐狸', '不允许：[prompt]'],
    ['A red fox in the snow', '[prompt]'],
    // A vendor names the word that it refuses.
    ['The words "red fox" are not allowed', 'The words "red fox" are not allowed'],
    ['Rate limit exceeded', 'Rate limit exceeded'],
    ['', ''],
  ])('%p is shown as %p', (said, shown) => {
    expect(withoutPrompt(said, PROMPT)).toBe(shown);
  });

  test.each([
    ['Fox', 'The prompt "fox" is too short', 'The prompt "[prompt]" is too short'],
    ['A fox', 'No: a fox, a fox', 'No: [prompt], [prompt]'],
    ['…', 'No: …', 'No: …'],
  ])('has no prompt that is as short as %p', (prompt, said, shown) => {
    expect(withoutPrompt(said, prompt)).toBe(shown);
  });

  const quoting = 'Not allowed: planted words of a prompt';
  const refusal = () => Promise.reject(new ProviderError('refused', quoting));
  const failed = async () => ({ state: 'failed', reason: quoting }) as const;
  const goneWrong = (attempt: number) =>
    attempt === 1 ? Promise.reject(new ProviderError('unavailable', quoting)) : failed();
  test.each<[string, Script]>([
    ['refuses a job', { submit: refusal }],
    ['fails', { poll: failed }],
    ['fails at a poll', { poll: goneWrong }],
  ])(
    'reaches neither the log nor the row nor the webhook with the prompt, when it %s',
    async (_when, script) => {
      const job = aJob();
      const prompt = 'Some planted words of a prompt';
      const world = new JobWorld(script, { ...job, request: { ...job.request, prompt } });
      const logged: unknown[] = [];
      const note = (...line: unknown[]) => void logged.push(line);
      Object.assign(world.ports, { log: { info: note, warn: note, error: note } });
      await world.run();
      expect(world.job).toMatchObject({ status: 'failed', error: 'Not allowed: [prompt]' });
      const { request: _, ...row } = world.job;
      expect([...world.events.values()]).toHaveLength(1);
      expect(JSON.stringify([logged, row, ...world.events.values()])).not.toContain('planted words of');
    },
  );
});
