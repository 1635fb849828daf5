import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { CannotGenerate, type Change, type Checkout } from './new/change.ts';
import { endpointChanges } from './new/endpoint.ts';
import { providerChanges } from './new/provider.ts';

const ROOT = process.cwd();
const checkout: Checkout = {
  read: (path) => readFileSync(join(ROOT, path), 'utf8'),
  list: (glob) => globSync(glob, { cwd: ROOT }).sort(),
};

const HELP = `npm run new:endpoint -- <area> <METHOD> <path> <name> [--access key|management]
npm run new:provider -- <name>

Writes every place that an endpoint or a provider needs, with a test that fails until you complete them.

  npm run new:endpoint -- videos GET '/videos/{video}/summary' get-video-summary
  npm run new:provider -- acme
`;

const NEXT = {
  endpoint: `Next: write the handler and its test, list in lib/ what its function may do, describe it
  in functions/openapi/, then run
  npx node test/infra/write-security.ts   # the table of docs/security.md`,
  provider: `Next: write the adapter from the vendor's documentation, its test, and a row in
  functions/videos/catalogue/models.json (docs/adding-a-provider.md)`,
};

process.exitCode = main(process.argv.slice(2));

function main(argv: readonly string[]): number {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { access: { type: 'string', default: 'key' }, help: { type: 'boolean', default: false } },
    });
    const [kind, ...words] = positionals;
    const expected = kind === 'endpoint' ? 4 : 1;
    if (values.help) process.stdout.write(HELP);
    if (values.help) return 0;
    if ((kind !== 'endpoint' && kind !== 'provider') || words.length !== expected) {
      throw new CannotGenerate(`arguments are missing:\n\n${HELP}`);
    }
    const [area = '', method = '', path = '', name = ''] = words;
    write(
      kind === 'endpoint'
        ? endpointChanges(checkout, { area, method, path, name, access: values.access })
        : providerChanges(checkout, area),
    );
    process.stdout.write(`\n${NEXT[kind]}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

/** All changes were checked before, so either all are written or none. */
function write(changes: readonly Change[]): void {
  for (const { path, text } of changes) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
    process.stdout.write(`${path}\n`);
  }
  const biome = join(import.meta.dirname, '../node_modules/@biomejs/biome/bin/biome');
  execFileSync(process.execPath, [biome, 'check', '--write', ...changes.map(({ path }) => path)], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
