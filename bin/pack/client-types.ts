const NAMED = [
  'StoredFile',
  'VideoRequest',
  'Video',
  'VideoGenerationCompletedEvent',
  'VideoGenerationFailedEvent',
  'VideoGenerationCancelledEvent',
  'VideoGenerationExpiredEvent',
  'WebhookTestEvent',
];
const INDENTATION = / {8}/;

/** Those schemas of the generated types that the TypeScript client names, as interfaces. @param types `genway.d.ts` */
export function clientTypes(types: string): string {
  const lines = types.split('\n');
  const interfaces = NAMED.map((name) => {
    const first = lines.indexOf(`        ${name}: {`);
    const last = lines.indexOf('        };', first);
    if (first < 0) throw new Error(`The generated types have no schema ${name}`);
    const body = lines.slice(first + 1, last).map((line) => line.replace(INDENTATION, ''));
    return [`export interface ${name} {`, ...body, '}'].join('\n');
  });
  const text = interfaces.join('\n\n').replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1');
  return `// \`npm run openapi:types\` writes this file.\n${text}\n`;
}
