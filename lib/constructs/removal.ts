import { RemovalPolicy } from 'aws-cdk-lib';
import type { StageConfig } from '../stage/config.ts';

/**
 * What becomes of a bucket or a key with its stack. What a failed deployment has just created is empty, and is deleted
 * even where the stage keeps its data: each try would leave another behind. Not for tables: they are protected from the
 * moment they exist, so CloudFormation could not delete them, and the rollback would fail too.
 */
export const removalOf = ({ data }: Pick<StageConfig, 'data'>): RemovalPolicy =>
  data === 'retain' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
