import { type Change, type Checkout, checkName, lineAdded, newFile } from './change.ts';

const SAMPLE = 'docs/adding-a-provider';
const ADAPTERS = 'functions/videos/providers';
const TESTS = 'test/videos/providers';

/**
 * The places that a provider needs, made from the sample of docs/adding-a-provider.md. The catalogue row of a model is
 * not among them, because nobody can guess what a vendor's model supports and costs.
 */
export function providerChanges(checkout: Checkout, name: string): Change[] {
  checkName('name', name);
  const variable = name.replace(/-([a-z0-9])/g, (_, first: string) => first.toUpperCase());
  const inPlaceOf: Readonly<Record<string, string>> = {
    "'acme'": `'${name}'`,
    'acme.example': `${name}.example`,
    Acme: name,
    acme: variable,
  };
  const renamed = (file: string) =>
    checkout
      .read(`${SAMPLE}/${file}`)
      .replaceAll(/'acme'|\bacme\.example|Acme|\bacme(?=Api\b|\b)/g, (found) => inPlaceOf[found] ?? found);
  const adapter = renamed('acme.ts').replaceAll(`../../${ADAPTERS}/`, './');
  const test = renamed('acme.test.ts')
    .replaceAll(`../../${TESTS}/`, './')
    .replaceAll(/'\.\/[^']+?'(?=;\n\nconst SUBMIT)/g, `'../../../${ADAPTERS}/${name}.ts'`);
  const registry = lineAdded(checkout, `${ADAPTERS}/registry.ts`, 'const ADAPTERS', `  ${variable},`);
  return [
    newFile(checkout, `${ADAPTERS}/${name}.ts`, adapter),
    newFile(checkout, `${TESTS}/${name}.test.ts`, test),
    { ...registry, text: `import { ${variable} } from './${name}.ts';\n${registry.text}` },
  ];
}
