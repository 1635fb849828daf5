import { join } from 'node:path';
import { runCommand } from '../../local/system/run-command.ts';
import { pythonPackages } from '../python/packages.ts';
import { KEY } from '../videos/providers/wire-server.ts';
import { describeClient, type Sent } from './describe-client.ts';

const programs = await pythonPackages('vendor-clients.txt');

/** Runs a program that knows the address as `at` and the key as `key`. @returns the last line of its output */
async function python(at: string, ...lines: readonly string[]): Promise<string | undefined> {
  const program = [`at, key = ${JSON.stringify(at)}, ${JSON.stringify(KEY)}`, ...lines].join('\n');
  const { code, output } = await runCommand(join(programs, 'python'), ['-c', program]);
  if (code !== 0) throw new Error(output);
  return output.trim().split('\n').at(-1);
}

const frameImages = (['first_frame', 'last_frame'] as const).map((frameType) => ({
  frameType,
  url: `https://a.example/${frameType}`,
}));

const LUMA = [
  'from luma_agents import Luma',
  'luma = Luma(auth_token=key, base_url=at, max_retries=0)',
  'video = dict(duration="5s", resolution="720p")',
  'common = dict(prompt="A red fox", aspect_ratio="16:9", model="model-1", type="video")',
];

describeClient({
  vendor: 'luma',
  client: 'luma-agents 0.5.0',
  asks: [
    ['text', {}, (at) => python(at, ...LUMA, 'luma.generations.create(**common, video=video)')],
    [
      'both frames',
      { frameImages },
      (at) =>
        python(
          at,
          ...LUMA,
          'frames = dict(',
          '  start_frame=dict(url="https://a.example/first_frame#linked"),',
          '  end_frame=dict(url="https://a.example/last_frame#linked"))',
          'luma.generations.create(**common, video=dict(**video, **frames))',
        ),
    ],
  ],
  make: (at) =>
    python(
      at,
      ...LUMA,
      'made = luma.generations.create(**common, video=video)',
      'while made.state in ("queued", "processing"): made = luma.generations.get(made.id)',
      'assert made.state == "completed", made.failure_reason',
      'print(made.output[0].url)',
    ),
  failed: { id: 't1', state: 'failed', failure_code: 'internal', failure_reason: 'It broke' },
});

const DASHSCOPE = [
  'import dashscope',
  'from dashscope import VideoSynthesis',
  'dashscope.base_http_api_url = at',
  'common = dict(model="model-1", prompt="A red fox", resolution="720P", ratio="16:9", duration=5, api_key=key)',
];

/** The client names itself, and sends two fields of older models, of which one is the default and one the path again. */
function even({ headers, body, ...sent }: Sent): Sent {
  const counting = Object.entries(headers).filter(([name]) => !name.startsWith('x-dashscope-sdk-'));
  const older = ['extend_prompt', 'function'];
  const today = JSON.stringify(body, (name, value) => (older.includes(name) ? undefined : value));
  return { ...sent, headers: Object.fromEntries(counting), body: JSON.parse(today) };
}

describeClient({
  vendor: 'dashscope',
  client: 'dashscope 2.0.2',
  even,
  asks: [
    ['text', { seed: 7 }, (at) => python(at, ...DASHSCOPE, 'VideoSynthesis.async_call(**common, seed=7)')],
    [
      'both frames',
      { frameImages },
      (at) =>
        python(
          at,
          ...DASHSCOPE,
          'frame = lambda name: dict(type=name, url=f"https://a.example/{name}#linked")',
          'VideoSynthesis.async_call(**common, media=[frame("first_frame"), frame("last_frame")])',
        ),
    ],
  ],
  make: (at) =>
    python(
      at,
      ...DASHSCOPE,
      'task = VideoSynthesis.async_call(**common).output',
      'while task.task_status in ("PENDING", "RUNNING"):',
      '  task = VideoSynthesis.fetch(task.task_id, api_key=key).output',
      'assert task.task_status == "SUCCEEDED", task.message',
      'print(task.video_url)',
    ),
  failed: { output: { task_id: 't1', task_status: 'FAILED', code: 'InternalError', message: 'It broke' } },
  cancel: (at) => python(at, ...DASHSCOPE, 'VideoSynthesis.cancel("t1", api_key=key)'),
});
