import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NestedStack } from 'aws-cdk-lib';
import * as v from 'valibot';
import { type Assembly, assemblySchema } from './assembly.ts';
import { build, type Stage } from './build.ts';

/** The templates that would be deployed. */
export const assemble = (stage: Stage): Assembly =>
  build(stage, (app, stack, folder) => {
    app.synth();
    const written = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const parts = stack.node.children.filter((child) => NestedStack.isNestedStack(child));
    return v.parse(assemblySchema, {
      template: written(stack.templateFile),
      parts: Object.fromEntries(parts.map(({ node, templateFile }) => [node.id, written(templateFile)])),
    });
  });
