import * as v from 'valibot';
import { settingEntries, settingGroups } from './schema.ts';

/** A step of a pipe; it may itself be a pipe. */
interface Step {
  readonly type: string;
  readonly requirement?: unknown;
  readonly pipe?: readonly Step[];
}

/** The properties that are read from any setting's schema. */
interface Shape {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Shape>>;
  readonly wrapped?: Shape;
  readonly item?: Shape;
  readonly value?: Shape;
  readonly options?: readonly unknown[];
  readonly default?: unknown;
  readonly pipe?: readonly Step[];
}

/** The tables of docs/configuration.md: each setting, its type, its default. */
export function settingsReference(): string {
  return Object.entries(settingGroups)
    .map(([title, entries]) =>
      [
        `## ${title}`,
        '',
        '| setting | takes | default | |',
        '|---|---|---|---|',
        ...Object.entries(entries).flatMap(([name, schema]) => rowsOf(name, schema)),
      ].join('\n'),
    )
    .join('\n\n');
}

function rowsOf(name: string, schema: v.GenericSchema): string[] {
  const shape: Shape = schema;
  const inner = shape.wrapped ?? shape;
  const row = `| \`${name}\` | ${kindOf(inner)} | ${defaultOf(shape)} | ${textOf(schema)} |`;
  const parts = Object.entries(inner.entries ?? inner.item?.entries ?? {});
  const prefix = inner.item === undefined ? name : `${name}[]`;
  // The page about routing has the settings of a provider.
  if (name.startsWith('videos')) return [row];
  return [row, ...parts.flatMap(([part, of]) => (isSchema(of) ? rowsOf(`${prefix}.${part}`, of) : []))];
}

/** Every setting and every part of one, as messages name them. */
export const settingPaths = (
  entries: Readonly<Record<string, Shape>> = settingEntries,
  before = '',
): string[] =>
  Object.entries(entries).flatMap(([name, shape]) => [
    `${before}${name}`,
    ...settingPaths((shape.wrapped ?? shape).entries ?? {}, `${before}${name}.`),
  ]);

const isSchema = (shape: unknown): shape is v.GenericSchema =>
  typeof shape === 'object' && shape !== null && 'kind' in shape && shape.kind === 'schema';

function textOf(schema: v.GenericSchema): string {
  const { wrapped }: Shape = schema;
  return v.getDescription(isSchema(wrapped) ? wrapped : schema) ?? '';
}

/** Where a link leads nowhere: the name of its page instead. */
const plainTextOf = (schema: v.GenericSchema): string =>
  textOf(schema).replace(/\[([^\]]+)\]\(([^)]+)\)/g, '$1 (docs/$2)');

function defaultOf({ type, default: value }: Shape): string {
  if (value !== undefined) return `\`${JSON.stringify(value)}\``;
  return type === 'exact_optional' ? '—' : 'required';
}

function kindOf(shape: Shape): string {
  if (shape.options !== undefined && shape.type === 'picklist') {
    return shape.options.map((option) => `\`${JSON.stringify(option)}\``).join(', ');
  }
  if (shape.type === 'array')
    return shape.item?.entries === undefined ? 'a list of strings' : 'a list of objects';
  if (shape.entries !== undefined) return 'an object';
  if (shape.type === 'record') return 'an object of strings';
  if (shape.type === 'number') return `${isWhole(shape) ? 'a whole number' : 'a number'}${limitsOf(shape)}`;
  return shape.type === 'boolean' ? '`true`, `false`' : 'a string';
}

const isWhole = (shape: Shape): boolean =>
  ['integer', 'safe_integer'].some((step) => limitIn(shape, step) !== undefined);

function limitsOf(shape: Shape): string {
  const limit = (type: string) => limitIn(shape, type);
  const min = limit('min_value');
  const max = limit('max_value');
  return max === undefined ? `, at least ${min}` : ` from ${min} to ${max}`;
}

/** A pipe may begin with another pipe, which may contain the limit. */
function limitIn(shape: Pick<Shape, 'pipe'>, type: string): unknown {
  for (const step of shape.pipe ?? []) {
    if (step.type === type) return step.requirement;
    if (step.pipe !== undefined && step !== shape) {
      const found = limitIn(step, type);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The same as a TypeScript interface, which editors show to whoever writes the settings in a CDK app. */
export function settingsInterface(): string {
  const fields = Object.entries(settingEntries).map(([name, schema]) => fieldOf(name, schema));
  return `/** The settings of a deployment. */\nexport interface GenwaySettings {\n${fields.join('\n')}\n}\n`;
}

function fieldOf(name: string, schema: v.GenericSchema): string {
  const shape: Shape = schema;
  const value = defaultOf(shape);
  const isOptional = value !== 'required';
  const told = isOptional && value !== '—' ? ` @default ${value.replaceAll('`', '')}` : '';
  return `/** ${plainTextOf(schema)}${told} */\nreadonly ${name}${isOptional ? '?' : ''}: ${typeOf(name, shape.wrapped ?? shape)};`;
}

function typeOf(name: string, { type, options, item, value, entries }: Shape): string {
  // A CDK app has no types for them.
  if (name === 'videos') return 'Readonly<Record<string, unknown>>';
  if (type === 'picklist') return (options ?? []).map((option) => JSON.stringify(option)).join(' | ');
  if (type === 'array') return `ReadonlyArray<${item === undefined ? 'unknown' : typeOf(name, item)}>`;
  if (type === 'record')
    return `Readonly<Record<string, ${value === undefined ? 'unknown' : typeOf(name, value)}>>`;
  if (entries === undefined) return type === 'boolean' || type === 'number' ? type : 'string';
  const parts = Object.entries(entries).flatMap(([part, of]) => (isSchema(of) ? [fieldOf(part, of)] : []));
  return `{\n${parts.join('\n')}\n}`;
}

/** A new file of settings: each is a comment, with its text and its default, until its deployer takes out the slashes. */
export function settingsFile(): string {
  const groups = Object.entries(settingGroups).map(([title, entries]) =>
    [`  // ${title.toUpperCase()}`, ...Object.entries(entries).map(commentOf)].join('\n\n'),
  );
  return `// The settings of a stage. The name of this file is the name of the stage. Nothing here is a secret.
// Each setting shows its default, then what it takes. Remove the slashes before a setting to change it.
// A setting without a default shows null: replace it with a value.
{
${groups.join('\n\n')}
}
`;
}

function commentOf([name, schema]: readonly [string, v.GenericSchema]): string {
  const shape: Shape = schema;
  const inner = shape.wrapped ?? shape;
  const parts = Object.entries(inner.entries ?? {}).flatMap(([part, of]) =>
    isSchema(of) && name !== 'videos' ? [partOf(`${name}.${part}`, of)] : [],
  );
  const kind = kindOf(inner).replaceAll('`', '');
  const line = `"${name}": ${JSON.stringify(shape.default ?? null)}, // ${kind}`;
  return [...[plainTextOf(schema), ...parts].flatMap(wrapped), line].map((each) => `  // ${each}`).join('\n');
}

function partOf(path: string, schema: v.GenericSchema): string {
  const { default: value }: Shape = schema;
  const told = value === undefined ? '' : `Default: ${JSON.stringify(value)}`;
  return `${path}: ${[plainTextOf(schema), told].join(' ').trim()}`;
}

/** Lines of at most 110 characters. */
const wrapped = (text: string): string[] => text.match(/\S.{0,109}(?=\s|$)/g) ?? [];
