import { basename } from 'node:path';
import type { Checkout } from '../bin/new/change.ts';

const ROUTES = 'functions/http/routes.ts';
const ROWS = 'test/contract/access-rows.ts';
const CALLS = 'test/contract/aws-calls.test.ts';
const REGISTRY = 'functions/videos/providers/registry.ts';

/** The places that an endpoint or a provider lacks. Each sentence names the file. */
export function forgottenPlaces(checkout: Checkout): string[] {
  return [...ofEndpoints(checkout), ...ofProviders(checkout)];
}

function ofEndpoints(checkout: Checkout): string[] {
  const routes = keysOf(checkout.read(ROUTES), 'export const routes = {');
  const rows = keysOf(checkout.read(ROWS), 'export const rows');
  const calls = keysOf(checkout.read(CALLS), 'const WARM');
  const lib = checkout.list('lib/**/*.ts').map((file) => checkout.read(file));
  const descriptions = checkout.list('functions/openapi/*.ts').map((file) => checkout.read(file));
  const handlers = checkout.list('functions/endpoints/**/*.ts');
  const named = new Set(handlers.map((file) => basename(file, '.ts')));
  const lacking = routes.flatMap((id) => [
    ...(named.has(id)
      ? []
      : [`endpoint ${id} has a route but no handler file functions/endpoints/<area>/${id}.ts`]),
    ...(lib.some((text) => new RegExp(`\\n +'${id}': `).test(text))
      ? []
      : [`endpoint ${id} has a route but no line in lib/ that says what its function may do`]),
    ...(descriptions.some((text) => text.includes(`\n  '${id}': {`))
      ? []
      : [`endpoint ${id} has a route but no description in functions/openapi/`]),
    ...(rows.includes(id) ? [] : [`endpoint ${id} has a route but no row in ${ROWS}`]),
    ...(calls.includes(id) ? [] : [`endpoint ${id} has a route but no row in ${CALLS}`]),
  ]);
  const unrouted = handlers.flatMap((file) => {
    const [, id] =
      /(?:route|public|workspace|job|file)Handler\(\s*'([a-z-]+)'/.exec(checkout.read(file)) ?? [];
    return id === undefined || routes.includes(id)
      ? []
      : [`${file} serves ${id}, which has no row in ${ROUTES}`];
  });
  return [...lacking, ...unrouted];
}

function ofProviders(checkout: Checkout): string[] {
  const registry = checkout.read(REGISTRY);
  return checkout.list('functions/videos/providers/*.ts').flatMap((file) => {
    const text = checkout.read(file);
    if (!/: VideoProvider = \{/.test(text)) return [];
    const name = basename(file, '.ts');
    const test = `test/videos/providers/${name}.test.ts`;
    return [
      ...(registry.includes(`'./${name}.ts'`)
        ? []
        : [`provider ${name} has an adapter but no line in ${REGISTRY}`]),
      ...(checkout.list(test).length > 0 ? [] : [`provider ${name} has an adapter but no test ${test}`]),
      ...(/https:\/\/[\w.-]+\.example\b/.test(text)
        ? [`provider ${name} has the sample's address in ${file}; put the vendor's own there`]
        : []),
    ];
  });
}

function keysOf(text: string, opening: string): string[] {
  const begin = text.indexOf(opening);
  const end = begin + text.slice(begin).search(/\n\}/);
  return [...text.slice(begin, end).matchAll(/^ {2}'([a-z-]+)':/gm)].map(([, key = '']) => key);
}
