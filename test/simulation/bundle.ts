import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, parse, relative } from 'node:path';
import { Script } from 'node:vm';
import { build, type Plugin } from 'esbuild';
import { type RouteId, routes } from '../../functions/endpoints/definitions.ts';
import type { InstanceGlobals, InstanceModules } from './instance.ts';

export const ROOT = join(import.meta.dirname, '../..');

export const CONSUMERS = [
  'submit-jobs',
  'poll-videos',
  'copy-videos',
  'deliver-events',
  'log-generations',
] as const;
export const SWEEPERS = [
  'sweep-jobs',
  'sweep-events',
  'sweep-files',
  'sweep-workspaces',
  'reconcile-rows',
] as const;
/** Functions that serve no route. */
const WORKERS = [...CONSUMERS, ...SWEEPERS] as const;
export type FunctionName = RouteId | (typeof WORKERS)[number];
const NAMES = new Set<string>([...Object.keys(routes), ...WORKERS]);

/**
 * All functions as one script. Each run of the script is a new function instance. It has its own modules and caches,
 * and gets its clock, random numbers and AWS clients.
 *
 * @param change for a planted bug: gives each source file another text
 * @param root the checkout, which may lack functions if it is an older one
 */
export async function bundleFunctions(
  change = (source: string) => source,
  root = ROOT,
): Promise<InstanceScript> {
  const found = globSync('functions/endpoints/*/*.ts', { cwd: root }).filter((path) =>
    NAMES.has(nameOf(path)),
  );
  const loaders = found.map((path) => `'${nameOf(path)}': () => require('./${path}'),`);
  const { outputFiles } = await build({
    stdin: { contents: `module.exports = { ${loaders.join('\n')} };`, resolveDir: root, loader: 'js' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    // These packages keep nothing between calls that depends on a machine.
    external: ['@aws-sdk/*', '@smithy/*', 'undici', 'aws-crt'],
    plugins: [outside(change, root)],
    logLevel: 'error',
  });
  const names = ['module', 'require', 'ports', ...GLOBALS];
  const script = new Script(`(function (${names.join(', ')}) {${outputFiles[0]?.text}\n})`, {
    filename: 'functions.cjs',
  });
  const run: (...given: unknown[]) => void = script.runInThisContext();
  const load: InstanceScript['load'] = ({ require, ports, globals }) => {
    const module: { exports: ReturnType<InstanceScript['load']> } = { exports: {} };
    run(module, require, ports, ...GLOBALS.map((name) => globals[name]));
    return module.exports;
  };
  return { names: new Set(found.map(nameOf)), load };
}

const nameOf = (path: string): string => parse(path).name;

export interface InstanceScript {
  /** The functions that it has. */
  readonly names: ReadonlySet<string>;
  readonly load: (given: {
    readonly require: (name: string) => unknown;
    readonly ports: InstanceModules;
    readonly globals: InstanceGlobals;
  }) => Readonly<Record<string, () => { handler: unknown }>>;
}

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

/** Modules that reach the outside, and what takes their place. */
const OUTSIDE: Readonly<Record<string, string>> = {
  'functions/aws/dynamo.ts': 'export const { dynamo } = ports.aws;',
  'functions/aws/sqs.ts': 'export const { sqs } = ports.aws;',
  'functions/aws/kms.ts': 'export const { kms } = ports.aws;',
  'functions/aws/s3.ts': 'export const { s3 } = ports.aws; export const s3In = () => s3;',
  'functions/aws/object-upload/exchange.ts': 'export const { exchange } = ports.aws;',
  'functions/aws/own-role.ts': `export const ownRole = () => ({
    ...{ region: 'us-east-1', endpoint: 'http://s3.engine' },
    credentials: { accessKeyId: 'nobody', secretAccessKey: 'none' },
  });`,
  'functions/telemetry/logger.ts':
    'export const { log } = ports; export const logAlways = log.info; export const logContext = () => undefined;',
  'functions/videos/providers/registry.ts': `import { ProviderError } from './provider.ts';
    import { vendorApi } from './vendor-api.ts';
    const shipped = {
      byteplus: () => require('./byteplus.ts').byteplus,
      runway: () => require('./runway.ts').runway,
      kling: () => require('./kling.ts').kling,
    };
    const kit = { ProviderError, vendorApi };
    export const providerOf = (name) => ports.provider(name, kit) ?? shipped[name]();`,
};

const outside = (change: (source: string) => string, root: string): Plugin => ({
  name: 'outside',
  setup({ onLoad }) {
    onLoad({ filter: /\/functions\/.*\.ts$/ }, async ({ path }) => ({
      contents: OUTSIDE[relative(root, path)] ?? change(await readFile(path, 'utf8')),
      loader: 'ts',
    }));
  },
});
