import { AwsWorld } from '../aws-world.ts';

/** The clients that the conformance tests use. In the project `contract`, Jest replaces them by those of the emulator. */
export const { dynamodb, dynamo, s3, sqs, kms } = new AwsWorld().startProcess();
