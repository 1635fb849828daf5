import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { type BuildOptions, build, type Plugin, type StdinOptions } from 'esbuild';
import type { InstanceGlobals, InstanceModules } from './instance.ts';
import { isRule, MARKS, sharedModules } from './shared-modules.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The simulated functions, by their names in `lib/`. */
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

/** Changes a source file when it is bundled. @param path from the root of the repository */
export type SourceChange = (path: string, source: string) => string;

/**
 * All functions as one script. Each run of the script is a new function instance. It has its own modules and caches,
 * and gets its clock, random numbers and AWS clients. Modules that cannot differ between instances are shared.
 */
export async function bundleFunctions(change: SourceChange = (_, source) => source): Promise<InstanceScript> {
  const plugins = [replacing(change)];
  const handlers = exportAll(
    Object.entries(FUNCTIONS).map(([name, path]) => [name, `functions/endpoints/${path}.ts`]),
  );
  const { metafile } = await build({ ...OPTIONS, stdin: handlers, metafile: true, plugins });
  const marked = await eachMarked(Object.keys(metafile.inputs).filter(isRule), plugins);
  const shared = sharedModules(
    metafile,
    (path) => marked.get(path) ?? '',
    (path) => path in OUTSIDE,
  );
  const code = async (stdin: StdinOptions, others: Plugin[]) => {
    const { outputFiles } = await build({ ...OPTIONS, stdin, plugins: [...others, ...plugins] });
    return outputFiles[0]?.text ?? '';
  };
  const rules = exportAll([...shared].map((path) => [path, path]));
  const load = compile<[module: Module, require: Require]>(await code(rules, []), ['module', 'require']);
  const rulesModule: Module = { exports: {} };
  load(rulesModule, createRequire(import.meta.url));
  const run = compile<[Module, Require, InstanceModules, ...unknown[]]>(
    await code(handlers, [sharing(shared)]),
    ['module', 'require', 'ports', ...GLOBALS],
  );
  const loaded = new Map<string, unknown>();
  const loadShared = (name: string) => {
    if (!loaded.has(name)) loaded.set(name, plain(rulesModule.exports[name]?.()));
    return loaded.get(name);
  };
  return ({ require, ports, globals }) => {
    const module: Module = { exports: {} };
    const find = (name: string) => (shared.has(name) ? loadShared(name) : require(name));
    run(module, find, ports, ...GLOBALS.map((name) => globals[name]));
    return module.exports;
  };
}

/** The modules, each by itself, as JavaScript with marks where one asks its machine. */
async function eachMarked(paths: readonly string[], plugins: Plugin[]): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    ...{
      write: false,
      format: 'esm',
      target: OPTIONS.target,
      absWorkingDir: ROOT,
      outdir: ROOT,
      outbase: ROOT,
    },
    entryPoints: [...paths],
    define: MARKS,
    plugins,
  });
  return new Map(
    outputFiles.map(({ path, text }) => [path.slice(ROOT.length).replace(/\.js$/, '.ts'), text]),
  );
}

/** A loaded module's exports as they are from now on: asking its getters for each use costs more than most uses. */
const plain = (exports: object | undefined): unknown =>
  exports !== undefined && '__esModule' in exports ? { ...exports, __esModule: true } : exports;

type Require = (name: string) => unknown;
interface Module {
  readonly exports: Record<string, () => { handler: unknown }>;
}

const OPTIONS = {
  bundle: true,
  write: false,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  absWorkingDir: ROOT,
  // These packages keep nothing between calls that depends on a machine.
  external: ['@aws-sdk/*', '@smithy/*', 'undici', 'aws-crt'],
  logLevel: 'error',
} as const satisfies BuildOptions;

function exportAll(modules: readonly (readonly [name: string, path: string])[]): StdinOptions {
  const lines = modules.map(([name, path]) => `${JSON.stringify(name)}: () => require('./${path}'),`);
  return { contents: `module.exports = {\n${lines.join('\n')}\n};`, resolveDir: ROOT, loader: 'js' };
}

/**
 * esbuild copies the exports of a module for each importer, even if the module is an ES module already. This leaves out
 * the copy.
 */
const INTEROP = 'var __toESM = ';
const NO_COPY =
  'var __toESM = (mod, ...rest) => (mod.__esModule ? mod : __copied(mod, ...rest));\nvar __copied = ';

function compile<Given extends unknown[]>(code: string, names: readonly string[]): (...given: Given) => void {
  const script = new Script(`(function (${names.join(', ')}) {${code.replace(INTEROP, NO_COPY)}\n})`, {
    filename: 'functions.cjs',
  });
  return script.runInThisContext();
}

export type InstanceScript = (given: {
  readonly require: (name: string) => unknown;
  readonly ports: InstanceModules;
  readonly globals: InstanceGlobals;
}) => Readonly<Record<string, () => { handler: unknown }>>;

/** Globals that belong to the simulated machine. */
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

/** Modules that reach the outside. What the instance is given takes their place. */
const OUTSIDE: Readonly<Record<string, (source: string) => string>> = {
  'functions/aws/dynamo.ts': () => 'export const dynamo = ports.dynamo;',
  'functions/aws/sqs.ts': () => 'export const sqs = ports.sqs;',
  'functions/aws/kms.ts': () => 'export const kms = ports.kms;',
  'functions/aws/s3.ts': () =>
    'export const s3 = ports.s3(); export const createS3Client = () => { throw new Error("one region only"); };',
  'functions/aws/object-upload/exchange.ts': () => 'export const exchange = ports.exchange;',
  'functions/aws/own-role.ts': () =>
    `export const ownRole = () => ({
       ...{ region: 'us-east-1', endpoint: 'http://s3.engine' },
       credentials: { accessKeyId: 'nobody', secretAccessKey: 'none' },
     });`,
  'functions/telemetry/logger.ts': () =>
    'export const log = ports.log; export const logContext = () => undefined;',
  'functions/telemetry/metrics.ts': (source) =>
    [...source.matchAll(/^export (?:const|function) (\w+)/gm)]
      .map(([, name]) => `export const ${name} = (...told) => ports.count('${name}', told);`)
      .join('\n'),
  'functions/videos/providers/registry.ts': () =>
    `import { ProviderError } from './provider.ts';
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

/** Loads shared modules with `require`, by their paths. */
const sharing = (shared: ReadonlySet<string>): Plugin => ({
  name: 'shared',
  setup(esbuild) {
    esbuild.onResolve({ filter: /./ }, async ({ path, pluginData, ...rest }) => {
      if (pluginData === RESOLVING) return undefined;
      const { importer, namespace, resolveDir, kind, with: attributes } = rest;
      const options = { importer, namespace, resolveDir, kind, with: attributes, pluginData: RESOLVING };
      const found = await esbuild.resolve(path, options);
      const place = found.path.slice(ROOT.length);
      return shared.has(place) ? { path: place, external: true } : undefined;
    });
  },
});

const RESOLVING = 'resolving';
