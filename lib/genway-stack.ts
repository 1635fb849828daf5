import { Fn, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Genway, type GenwayProps } from './genway.ts';

/** A stack with nothing but one deployment of Genway. */
export class GenwayStack extends Stack {
  constructor(scope: Construct, id: string, { name, settings, ...props }: GenwayProps & StackProps) {
    super(scope, id, props);
    // CDK leaves this id out of the names of resources, so they are as short as those of the stack's own.
    new Genway(this, 'Default', { name, ...(settings === undefined ? {} : { settings }) });
  }

  /** Otherwise CDK looks up zones during synthesis and writes them into the checkout. Our network names its own zones. */
  override get availabilityZones(): string[] {
    return [0, 1].map((index) => Fn.select(index, Fn.getAzs()));
  }
}
