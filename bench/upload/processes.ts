import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import * as v from 'valibot';
import { bundle } from '../../lib/bundling/bundle.ts';
import { ROOT } from '../../lib/bundling/folders.ts';
import { NODE_FLAGS } from '../../lib/upload-server/image-context.ts';
import { answerOf, ask } from '../answer-of.ts';

const BUNDLES = join(ROOT, 'dist', 'bench');
export const bundled = (name: string) => join(BUNDLES, `${name}.mjs`);

export const bundleServers = () =>
  bundle(
    ['sink', 'pipe', 'genway'].map((name) => ({
      in: join(import.meta.dirname, 'servers', `${name}.ts`),
      out: name,
    })),
    BUNDLES,
  );

export interface RunningServer {
  readonly child: ChildProcess;
  readonly port: number;
}

const portSchema = v.object({ port: v.number() });
const usageSchema = v.object({ cpuSeconds: v.number(), peakMegabytes: v.number() });
const seenSchema = v.object({ requests: v.number(), fileAt: v.optional(v.number()) });

/** In a process of its own, run like our image. @param sink where it sends its bytes */
async function start(program: string, sink: number): Promise<RunningServer> {
  const env = { ...process.env, SINK: `http://127.0.0.1:${sink}`, AWS_EC2_METADATA_DISABLED: 'true' };
  const child = fork(program, { env, execArgv: ['--no-warnings', ...NODE_FLAGS] });
  return { child, port: v.parse(portSchema, await answerOf(child)).port };
}

export interface Pair {
  readonly server: RunningServer;
  readonly sink: RunningServer;
  end(): void;
}

/** A server, and a stand-in for S3 that nobody else sends to. */
export async function startWithSink(program: string): Promise<Pair> {
  const sink = await start(bundled('sink'), 1);
  const server = await start(program, sink.port);
  const end = () => {
    server.child.kill('SIGKILL');
    sink.child.kill('SIGKILL');
  };
  return { server, sink, end };
}

/** What a server has used since its start. */
export const usage = async ({ child }: RunningServer) => v.parse(usageSchema, await ask(child, 'usage'));

/** What a sink has seen since it was last asked: its requests, and when the first bytes of a file came (see `clock`). */
export const seenBy = async ({ child }: RunningServer) => v.parse(seenSchema, await ask(child, 'seen'));
