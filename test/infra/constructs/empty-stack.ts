import { App, Stack } from 'aws-cdk-lib';

/** A stack for one construct, without the checks that take longer than the rest. */
export const emptyStack = (): Stack =>
  new Stack(
    new App({ builtinCloudFormationValidation: false, treeMetadata: false, stackTraces: false }),
    'Tiny',
  );
