import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { build, type Plugin } from 'esbuild';
import type { InstanceGlobals, InstanceModules } from './instance.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The functions that run in the simulation, by their names in `lib/`. */
const FUNCTIONS = {
  'submit-video': 'videos/submit-video',
  'get-video': 'videos/get-video',
  'list-videos': 'videos/list-videos',
  'cancel-video': 'videos/cancel-video',
  'delete-video': 'videos/delete-video',
  'get-video-content': 'videos/get-video-content',
  'redeliver-video-webhook': 'videos/redeliver-video-webhook',
  'recover-webhook-deliveries': 'webhooks/recover-webhook-deliveries',
  'put-workspace-webhook': 'webhooks/put-workspace-webhook',
  'rotate-webhook-secret': 'webhooks/rotate-webhook-secret',
  'create-workspace': 'workspaces/create-workspace',
  'create-key': 'keys/create-key',
  'update-key': 'keys/update-key',
  'put-budget': 'budgets/put-budget',
  'grant-credits': 'credits/grant-credits',
  'poll-videos': 'videos/poll-videos',
  'copy-videos': 'videos/copy-videos',
  'deliver-events': 'webhooks/deliver-events',
  'sweep-jobs': 'videos/sweep-jobs',
  'sweep-events': 'webhooks/sweep-events',
  'reconcile-rows': 'reconciling/reconcile-rows',
} as const;
export type FunctionName = keyof typeof FUNCTIONS;

/** Changes one file on its way into the bundle. @param path from the root of the repository */
export type SourceChange = (path: string, source: string) => string;

/**
 * All functions as one script. Each run of it is a new function instance: with its own modules, and so its own
 * caches, over the clock, the chance and the AWS that it is given.
 */
export async function bundleFunctions(change: SourceChange = (_, source) => source): Promise<InstanceScript> {
  const imports = Object.entries(FUNCTIONS).map(
    ([name, path]) => `${JSON.stringify(name)}: () => require('./functions/endpoints/${path}.ts'),`,
  );
  const { outputFiles } = await build({
    stdin: { contents: `module.exports = {\n${imports.join('\n')}\n};`, resolveDir: ROOT, loader: 'js' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    external: ['@aws-sdk/*', '@smithy/*', 'undici', 'aws-crt'],
    plugins: [replacing(change)],
    logLevel: 'error',
  });
  const names = ['module', 'require', 'ports', ...GLOBALS];
  const script = new Script(`(function (${names.join(', ')}) {${outputFiles[0]?.text ?? ''}\n})`, {
    filename: 'functions.cjs',
  });
  // biome-ignore lint/complexity/noBannedTypes: what a script makes is of no narrower type
  const run: Function = script.runInThisContext();
  return ({ require, ports, globals }) => {
    const module: { exports: Record<FunctionName, () => { handler: unknown }> } = { exports: Object() };
    run(module, require, ports, ...GLOBALS.map((name) => globals[name]));
    return module.exports;
  };
}

export type InstanceScript = (given: {
  readonly require: (name: string) => unknown;
  readonly ports: InstanceModules;
  readonly globals: InstanceGlobals;
}) => Readonly<Record<FunctionName, () => { handler: unknown }>>;

/** What is not the functions' own there, but their machine's. */
const GLOBALS = [
  'process',
  'Date',
  'Math',
  'AbortSignal',
  'setTimeout',
  'clearTimeout',
  'fetch',
  'console',
  'performance',
  'crypto',
  'global',
] as const satisfies readonly (keyof InstanceGlobals)[];

/** Modules that are the way to something outside: their place is taken by what an instance is given. */
const OUTSIDE: Readonly<Record<string, (source: string) => string>> = {
  'functions/aws/dynamo.ts': () => 'export const dynamo = ports.dynamo;',
  'functions/aws/sqs.ts': () => 'export const sqs = ports.sqs;',
  'functions/aws/kms.ts': () => 'export const kms = ports.kms;',
  'functions/aws/s3.ts': () =>
    'export const s3 = ports.s3; export const createS3Client = () => { throw new Error("one region only"); };',
  'functions/aws/object-upload/put-bytes.ts': () => 'export const putBytes = ports.putBytes;',
  'functions/aws/logger.ts': () => 'export const log = ports.log; export const logContext = () => undefined;',
  'functions/aws/metrics.ts': (source) =>
    [...source.matchAll(/^export (?:const|function) (\w+)/gm)]
      .map(([, name]) => `export const ${name} = (...told) => ports.count('${name}', told);`)
      .join('\n'),
  'functions/videos/providers/registry.ts': () =>
    `import { ProviderError } from './provider.ts';
     export const providerNames = () => ports.providerNames;
     export const providerOf = (name) => ports.provider(name, ProviderError);`,
};

const replacing = (change: SourceChange): Plugin => ({
  name: 'outside',
  setup(esbuild) {
    esbuild.onLoad({ filter: /\/functions\/.*\.ts$/ }, async ({ path }) => {
      const place = path.slice(ROOT.length);
      const source = change(place, await readFile(path, 'utf8'));
      return { contents: OUTSIDE[place]?.(source) ?? source, loader: 'ts' };
    });
  },
});
