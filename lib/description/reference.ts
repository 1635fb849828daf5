import { marked } from 'marked';
import { type Components, type Described, nameOf, readDescription, type Schema } from './described.ts';
import { samplesOf } from './samples.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (each) => ESCAPES[each] ?? each);
const inline = (text: string): string => marked.parseInline(text, { async: false });

/** The pages of the guides to the operations of a group. */
export const GUIDES_OF: Readonly<Record<string, readonly string[]>> = {
  Files: ['files.html'],
  Videos: ['first-video.html', 'errors.html'],
  Models: ['moving.html'],
  Webhooks: ['webhooks.html'],
  Keys: ['limits.html'],
  Budgets: ['limits.html'],
  Credits: ['limits.html'],
};

/**
 * The parts of the reference, in HTML: what stands in the navigation, and what stands beside it.
 * @param titles of the guides, by their pages
 */
export function reference(titles: ReadonlyMap<string, string>): {
  readonly navigation: string;
  readonly content: string;
} {
  const { info, tags, operations, components } = readDescription();
  const groups = tags.map((tag) => ({
    ...tag,
    own: operations.filter(({ tags: [name] }) => name === tag.name),
  }));
  const objects = Object.entries(components.schemas);
  const navigation = [
    ...groups.map(({ name, own }) => group(name, own.map(navigationLine))),
    group(
      'Objects',
      objects.map(([name]) => `<a href="#object-${name}">${name}</a>`),
    ),
  ];
  const content = [
    `<section class="introduction"><h1>${escaped(info.title)} API</h1>${marked.parse(info.description, { async: false })}</section>`,
    ...groups.map(
      ({ name, description, own }) =>
        `<h2 id="${slug(name)}">${escaped(name)}</h2><p>${inline(description)}</p>${guidesOf(name, titles)}` +
        own.map((each) => operationSection(each, components)).join(''),
    ),
    '<h2 id="objects">Objects</h2>',
    ...objects.map(
      ([name, schema]) =>
        `<section id="object-${name}"><h3>${name}</h3>${schema.description === undefined ? '' : `<p>${inline(schema.description)}</p>`}${fields(schema)}</section>`,
    ),
  ];
  return { navigation: navigation.join('\n'), content: content.join('\n') };
}

function guidesOf(group: string, titles: ReadonlyMap<string, string>): string {
  const links = (GUIDES_OF[group] ?? []).map((page) => `<a href="docs/${page}">${titles.get(page)}</a>`);
  return links.length === 0 ? '' : `<p>Guides: ${links.join(', ')}</p>`;
}

const slug = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, '-');

const group = (name: string, lines: readonly string[]): string =>
  `<details open><summary>${escaped(name)}</summary>${lines.join('')}</details>`;

const navigationLine = ({ operationId, summary, method, path }: Described): string =>
  `<a href="#${operationId}" data-text="${escaped(`${summary} ${method} ${path}`.toLowerCase())}">${escaped(summary)} <b class="method ${method}">${method}</b></a>`;

/** The fields in one column, and the samples and the example of an answer in the next. */
function operationSection(operation: Described, components: Components): string {
  const { operationId, summary, description, method, path } = operation;
  const [status = '', success] = Object.entries(operation.responses).find(([code]) => code < '400') ?? [];
  const example = Object.values(success?.content ?? {}).find((each) => each.example !== undefined)?.example;
  return `<section class="operation" id="${operationId}">
<div class="fields">
<h3><a href="#${operationId}">${escaped(summary)}</a></h3>
<p class="address"><b class="method ${method}">${method}</b> <code>${escaped(path)}</code></p>
<p>${inline(description)}</p>
<p class="access">${access(operation)}</p>
${body(operation, components)}${parameters(operation)}${answers(operation, components)}
</div>
<div class="samples">
${samples(operation)}
${example === undefined ? '' : `<h4>Response ${status}</h4><pre><code>${escaped(shownExample(example))}</code></pre>`}
</div>
</section>`;
}

const shownExample = (example: unknown): string =>
  typeof example === 'string' ? example : JSON.stringify(example, undefined, 2);

function access({ security }: Described): string {
  const schemes = security.flatMap((each) => Object.keys(each));
  if (schemes.length === 0) return 'Needs no key.';
  return schemes.includes('managementKey') ? 'Needs a management key.' : 'Needs a key.';
}

function parameters({ parameters: all }: Described): string {
  const lists = (['path', 'query', 'header'] as const).map((place) => {
    const own = all.filter((each) => each.in === place);
    if (own.length === 0) return '';
    const lines = own.map(({ name, schema, required, description }) =>
      field(name, { ...schema, description: description ?? schema.description }, required),
    );
    return `<h4>${{ path: 'Path', query: 'Query', header: 'Headers' }[place]}</h4><dl>${lines.join('')}</dl>`;
  });
  return lists.join('');
}

/** Here are the fields of a named object too, because whoever writes a request needs all of them. */
function body({ requestBody }: Described, { schemas }: Components): string {
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema = {} }]) => {
    const named = schema.$ref === undefined ? schema : (schemas[nameOf(schema.$ref)] ?? schema);
    return `<h4>Body <code>${escaped(type)}</code></h4>${fields(named)}`;
  });
  return bodies.join('');
}

function answers({ responses }: Described, { responses: refusals }: Components): string {
  const lines = Object.entries(responses).map(([status, response]) => {
    const { description, content } =
      response.$ref === undefined ? response : (refusals[nameOf(response.$ref)] ?? response);
    const [only] = Object.values(content);
    const isRefusal = status >= '400';
    const shown = isRefusal || only?.schema === undefined ? '' : fields(only.schema);
    return {
      status,
      isRefusal,
      line: `<dt><code>${status}</code></dt><dd>${inline(description)}${shown}</dd>`,
    };
  });
  const refused = lines.filter(({ isRefusal }) => isRefusal);
  const list = (all: typeof lines) => `<dl>${all.map(({ line }) => line).join('')}</dl>`;
  const errors = refused.map(({ status }) => status).join(', ');
  return `<h4>Response</h4>${list(lines.filter(({ isRefusal }) => !isRefusal))}
<details><summary>Errors ${errors}</summary>${list(refused)}</details>`;
}

/** The fields of an object; a link where it has a name and a section of its own. */
function fields(schema: Schema): string {
  const { $ref, properties, required = [], items, allOf, anyOf, oneOf } = schema;
  if ($ref !== undefined) return `<p>${typeOf(schema)}</p>`;
  if (items !== undefined) return `<p>A list.</p>${fields(items)}`;
  const variants = anyOf ?? oneOf;
  if (variants !== undefined)
    return variants.map((each, i) => `${i === 0 ? '' : '<p>or</p>'}${fields(each)}`).join('');
  if (allOf !== undefined) return allOf.map(fields).join('');
  const lines = Object.entries(properties ?? {}).map(([name, each]) =>
    field(name, each, required.includes(name)),
  );
  return lines.length === 0 ? `<p>${typeOf(schema)}</p>` : `<dl>${lines.join('')}</dl>`;
}

function field(name: string, schema: Schema, isRequired: boolean): string {
  const { description } = schema;
  const inner = insideOf(schema);
  const nested = inner === undefined ? '' : `<details><summary>Fields</summary>${fields(inner)}</details>`;
  return `<dt><code>${escaped(name)}</code> <span>${typeOf(schema)}</span>${isRequired ? ' <em>required</em>' : ''}</dt>
<dd>${description === undefined ? '' : inline(description)}${limits(schema)}${nested}</dd>`;
}

/** What has fields of its own within a field. */
function insideOf({ properties, items, anyOf, oneOf }: Schema): Schema | undefined {
  if (properties !== undefined && Object.keys(properties).length > 0) return { properties };
  if (items !== undefined) return insideOf(items) === undefined ? undefined : items;
  const variants = (anyOf ?? oneOf)?.filter((each) => insideOf(each) !== undefined) ?? [];
  return variants.length === 0 ? undefined : { anyOf: variants };
}

function typeOf(schema: Schema): string {
  const { $ref, type, format, items, enum: values, anyOf, oneOf } = schema;
  if ($ref !== undefined) return `<a href="#object-${nameOf($ref)}">${nameOf($ref)}</a>`;
  if (items !== undefined) return `list of ${typeOf(items)}`;
  const variants = anyOf ?? oneOf;
  if (variants !== undefined) return [...new Set(variants.map(typeOf))].join(' or ');
  if (values !== undefined || schema.const !== undefined) return 'one of';
  const types = [type ?? 'any'].flat().join(' or ');
  return format === undefined ? types : `${types} (${escaped(format)})`;
}

function limits(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema;
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  const parts = [
    ...(values === undefined ? [] : [values.map(code).join(', ')]),
    ...(schema.default === undefined ? [] : [`default ${code(schema.default)}`]),
    ...range(told(minimum), told(maximum), ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(undefined, maxItems, ' entries'),
  ];
  return parts.length === 0 ? '' : `<p class="limits">${parts.join('; ')}</p>`;
}

/** What no number can pass is no limit that a reader needs. */
const told = (limit: number | undefined): number | undefined =>
  limit === undefined || Math.abs(limit) === Number.MAX_SAFE_INTEGER ? undefined : limit;

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (most !== undefined)
    return [least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`];
  return least === undefined || least === 0 ? [] : [`at least ${least}${unit}`];
}

const code = (value: unknown): string =>
  `<code>${escaped(typeof value === 'string' ? value : JSON.stringify(value))}</code>`;

function samples(operation: Described): string {
  const all = samplesOf(operation);
  const tabs = all.map(
    ({ language }, i) =>
      `<button type="button" data-language="${language}" aria-pressed="${i === 0}">${language}</button>`,
  );
  const blocks = all.map(
    ({ language, code: text }, i) =>
      `<pre data-language="${language}"${i === 0 ? '' : ' hidden'}><code>${escaped(text)}</code></pre>`,
  );
  return `<div class="tabs">${tabs.join('')}<button type="button" class="copy">Copy</button></div>${blocks.join('')}`;
}
