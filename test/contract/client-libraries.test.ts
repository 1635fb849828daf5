import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { describeMp4 } from '../../functions/videos/results/mp4-structure.ts';
import { runCommand } from '../../local/system/run-command.ts';
import { pythonPackages } from '../python/packages.ts';
import { newWorkspace, stage } from './stage.ts';

/** Libraries for models of many vendors, unmodified. Only their address differs. */

const MINUTE = 60_000;
const MODEL = 'sandbox/clip-1';
const ROOT = join(import.meta.dirname, '../..');

/**
 * Runs a program that knows the address as `GENWAY_URL` and the key of a new workspace as `GENWAY_API_KEY`.
 * @returns the last line that it prints, as JSON
 */
async function answerOf(command: string, args: readonly string[], cwd: string): Promise<unknown> {
  const { key } = await newWorkspace();
  // LiteLLM would fetch its list of prices.
  const own = { GENWAY_URL: stage.baseUrl, GENWAY_API_KEY: key, LITELLM_LOCAL_MODEL_COST_MAP: 'True' };
  const { code, output } = await runCommand(command, args, { cwd, env: { ...process.env, ...own } });
  expect({ code, output }).toEqual({ code: 0, output });
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}

const sizeOf = (base64: string) => {
  const { width, height } = describeMp4(Buffer.from(base64, 'base64'));
  return `${width}x${height}`;
};

const TANSTACK = `
import { generateVideo, getVideoJobStatus } from '@tanstack/ai';
import { createOpenaiVideo } from '@tanstack/ai-openai';
import { createOpenRouterVideo } from '@tanstack/ai-openrouter';

const { GENWAY_URL: baseURL, GENWAY_API_KEY: key } = process.env;
const make = async (adapter, asked) => {
  const { jobId } = await generateVideo({ adapter, prompt: 'A fox', ...asked });
  for (;;) {
    const { status, url, error } = await getVideoJobStatus({ adapter, jobId });
    if (status === 'failed') throw new Error(error);
    if (status === 'completed') return url;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
};
const config = [key, { baseURL }];
console.log(JSON.stringify([
  await make(createOpenaiVideo('${MODEL}', ...config), { size: '1280x720', duration: 4 }),
  await make(createOpenRouterVideo('${MODEL}', ...config), { size: '640x360', duration: 1 }),
]));
`;

test.concurrent('TanStack AI makes videos with its adapters of OpenAI and of OpenRouter', async () => {
  const cwd = join(ROOT, 'test/ai-clients');
  // Its packages are in a folder of its own. The weekly workflow has put the newest there already.
  if (!existsSync(join(cwd, 'node_modules'))) {
    const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    const { code, output } = await runCommand('npm', install, { cwd, env: process.env });
    expect({ code, output }).toEqual({ code: 0, output });
  }
  const program = ['--input-type=module', '--eval', TANSTACK];
  const urls = v.parse(v.array(v.string()), await answerOf(process.execPath, program, cwd));
  expect(urls.map((url) => sizeOf(url.replace('data:video/mp4;base64,', '')))).toEqual([
    '1280x720',
    '640x360',
  ]);
});

const LITELLM = `
import base64, json, os, time
import litellm

at = {"api_base": os.environ["GENWAY_URL"], "api_key": os.environ["GENWAY_API_KEY"], "custom_llm_provider": "openai"}
fox = {"model": "openai/${MODEL}", "prompt": "A fox"}

def ended(video):
    while video.status in ("queued", "in_progress"):
        time.sleep(0.25)
        video = litellm.video_status(video_id=video.id, **at)
    return video

with open("test/fixtures/files/accepted/ffmpeg.png", "rb") as image:
    video = ended(litellm.video_generation(**fox, seconds="1", size="640x360", input_reference=image, **at))
of = {"video_id": video.id, "prompt": "It turns around", **at}
made = [ended(each) for each in (
    litellm.video_remix(**of), litellm.video_edit(**of), litellm.video_extension(**of, seconds="2"))]
try:
    litellm.video_generation(**fox, seconds="99", **at)
    refusal = None
except litellm.BadRequestError as error:
    refusal = str(error)
print(json.dumps({
    "content": base64.b64encode(litellm.video_content(video_id=video.id, **at)).decode(),
    "ended": [[each.status, each.seconds] for each in (video, *made)],
    "listed": [each["object"] for each in litellm.video_list(**at)["data"]],
    "refusal": refusal,
}))
`;

test.concurrent(
  'LiteLLM makes videos, waits for them, downloads, remixes, edits, extends and lists them',
  async () => {
    const python = join(await pythonPackages('litellm.txt'), 'python');
    const answer = await answerOf(python, ['-c', LITELLM], ROOT);
    const { content, ...told } = v.parse(v.looseObject({ content: v.string() }), answer);
    expect(sizeOf(content)).toBe('640x360');
    expect(told).toEqual({
      ended: [
        ['completed', '1'],
        ['completed', '1'],
        ['completed', '1'],
        ['completed', '2'],
      ],
      listed: Array(4).fill('video'),
      refusal: expect.stringContaining('seconds: 99 is not supported'),
    });
  },
  12 * MINUTE,
);
